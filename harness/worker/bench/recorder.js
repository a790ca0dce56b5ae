/**
 * The cases of benchmark files: stand-ins for benchmark packages record here what a file defines, and run none of it.
 */

/** @import { BenchCaseTrait } from '../../formats/types.ts' */

/**
 * A case as its file defines it.
 *
 * @typedef {object} RecordedCase
 * @property {string} name as the file gives it, after the names of the groups around it
 * @property {string} file as it was asked for
 * @property {Function} fn
 * @property {(() => unknown)[]} setUp what is called once before the first call
 * @property {BenchCaseTrait} [trait] what is special about its calls
 * @property {string} [problem] why it cannot be measured
 */

/** @typedef {Partial<Pick<RecordedCase, 'setUp' | 'trait' | 'problem'>>} CaseDetails */

/** @type {RecordedCase[]} */
const cases = [];
/** @type {(() => void)[]} */
const expansions = [];
/** @type {{ name: string, setUp: (() => unknown)[] }[]} */
let groups = [];
let file = '';

/** Has the following cases belong to a file. @param {string} name */
export function beginFile(name) {
  file = name;
  groups = [];
}

/**
 * Records a case of the current file, in the current groups.
 * @type {(name: unknown, fn: unknown, details?: CaseDetails) => void}
 */
export function recordCase(name, fn, { setUp = [], ...details } = {}) {
  const own = name === undefined || name === '' ? `case ${countOwn() + 1}` : String(name);
  const isFunction = typeof fn === 'function';
  cases.push({
    name: [...groups.map((group) => group.name), own].filter((text) => text !== '').join(' > '),
    file,
    fn: isFunction ? fn : () => {},
    setUp: [...groups.flatMap((group) => group.setUp), ...setUp],
    ...(isFunction ? {} : { problem: 'it has no function' }),
    ...details,
  });
}

function countOwn() {
  return cases.filter((one) => one.file === file).length;
}

/**
 * Calls back with the current file and groups, when the file has been read: some packages add to a case after it was
 * defined.
 * @type {(expand: () => void) => void}
 */
export function recordLater(expand) {
  const [ownFile, ownGroups] = [file, groups];
  expansions.push(() => {
    [file, groups] = [ownFile, ownGroups];
    expand();
  });
}

/**
 * Records the cases that a function defines in a group.
 *
 * @param {unknown} name
 * @param {() => unknown} define may be asynchronous
 * @returns {unknown} what it returns
 */
export function recordGroup(name, define) {
  const outer = groups;
  groups = [...outer, { name: name === undefined ? '' : String(name), setUp: [] }];
  const end = () => {
    groups = outer;
  };
  let result;
  try {
    result = define();
  } catch (error) {
    end();
    throw error;
  }
  if (result instanceof Promise) return result.finally(end);
  end();
  return result;
}

/** Adds to what cases of the current group are set up with. @param {() => unknown} setUp */
export function recordSetUp(setUp) {
  if (groups.length === 0) groups = [{ name: '', setUp: [] }];
  groups.at(-1)?.setUp.push(setUp);
}

/** @returns {RecordedCase[]} all cases, and forgets them */
export function takeCases() {
  for (const expand of expansions.splice(0)) expand();
  return cases.splice(0);
}

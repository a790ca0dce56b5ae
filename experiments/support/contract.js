/** @import { ContractRow } from '../../harness/formats/types.ts' */

/**
 * One promise of a family's behaviour contract.
 * @template {unknown[]} Subjects
 * @typedef {object} Row
 * @property {string} name kebab-case: `deep-equality`
 * @property {string} promise one line
 * @property {(...subjects: Subjects) => void | Promise<void>} check throws an error that describes
 *   the problem if the promise is broken
 * @property {boolean} [isOfNode] whether it is about Node: its modules, or what the reference does there alone
 */

/**
 * Rows under a common heading.
 * @template {unknown[]} Subjects
 * @typedef {{ title: string, rows: Row<Subjects>[] }} Theme
 */

/**
 * Reasons by row.
 * @typedef {object} Differences
 * @property {Record<string, string>} [declared] these rows must fail: a declared difference that
 *   does not occur is itself a failure
 * @property {Record<string, string>} [possible] these rows may fail
 */

/** @type {(themes: { rows: { name: string }[] }[]) => string[]} names of the rows of a contract */
export function listRows(themes) {
  return themes.flatMap(({ rows }) => rows.map(({ name }) => name));
}

const IS_BROWSER = !('process' in globalThis);
const UNCHECKED = 'not checked in a browser: the promise is about Node';

/**
 * Checks every row of a contract, one after the other.
 * @template {unknown[]} Subjects
 * @param {Theme<Subjects>[]} themes
 * @param {Subjects} subjects arguments of each check
 * @param {Differences} differences
 * @returns {Promise<ContractRow[]>}
 */
export async function runThemes(themes, subjects, { declared = {}, possible = {} }) {
  /** @type {ContractRow[]} */
  const results = [];
  for (const { title, rows } of themes) {
    for (const { name, promise, check, isOfNode = false } of rows) {
      const outcome =
        isOfNode && IS_BROWSER
          ? { outcome: /** @type {const} */ ('differs'), detail: UNCHECKED }
          : judge(await findProblem(() => check(...subjects)), declared[name], possible[name]);
      results.push({ theme: title, name, promise, ...outcome });
    }
  }
  return results;
}

/** @type {(check: () => void | Promise<void>) => Promise<string | null>} */
async function findProblem(check) {
  try {
    await check();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {string | null} problem
 * @param {string | undefined} declared
 * @param {string | undefined} possible
 * @returns {Pick<ContractRow, 'outcome' | 'detail'>}
 */
function judge(problem, declared, possible) {
  if (problem === null) {
    return declared === undefined
      ? { outcome: 'holds', detail: null }
      : { outcome: 'fails', detail: `declared to break (${declared}), but holds` };
  }
  const reason = declared ?? possible;
  return reason === undefined
    ? { outcome: 'fails', detail: problem }
    : { outcome: 'differs', detail: reason };
}

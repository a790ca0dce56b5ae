/** What mocha reports of a run, and how a run with another library differs from it. */

/**
 * @typedef {'passed' | 'failed' | 'skipped'} Outcome
 * @typedef {{ outcome: Outcome, message: string }} Result `message`: the first line of the error of a failed test
 * @typedef {Map<string, Result>} Results by name of the test
 */

/**
 * A test that fails with the other library for a reason that is no fault of it.
 *
 * @typedef {{ package: string, forms: string[], test: string, reason: string }} Explained `test`: its name
 */

/**
 * How a library does in the tests of another one. All are names of tests.
 *
 * @typedef {object} Comparison
 * @property {number} passed
 * @property {number} passedBefore with the library that the tests are of
 * @property {number} skipped
 * @property {{ test: string, message: string }[]} unexplained do not pass, but do with the library that the tests are of
 * @property {{ test: string, reason: string }[]} explained the same, with a known reason
 * @property {string[]} both fail with either library
 * @property {string[]} needless are explained, but do not fail
 */

/**
 * Reads what mocha's reporter `json` writes.
 *
 * @param {string} text
 * @param {string} root directory of the tests, which names of files are relative to
 * @returns {Results} of hooks, too, where they fail
 * @throws {SyntaxError} when it is no JSON
 */
export function readResults(text, root) {
  const { passes, failures, pending } = JSON.parse(text);
  /** @type {Results} */
  const results = new Map();
  /** @type {(tests: any[], outcome: Outcome) => void} */
  const add = (tests, outcome) => {
    for (const { file = '', fullTitle, err } of tests) {
      const place = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
      const message = firstLine(err?.message ?? '');
      results.set(numbered(results, `${place}: ${fullTitle}`), { outcome, message });
    }
  };
  add(passes, 'passed');
  add(failures, 'failed');
  add(pending, 'skipped');
  return results;
}

/** @type {(results: Results, name: string) => string} another name for another test of the same name */
function numbered(results, name) {
  let unique = name;
  for (let number = 2; results.has(unique); number++) unique = `${name} (${number})`;
  return unique;
}

/** @type {(text: string) => string} */
function firstLine(text) {
  return text.trim().split('\n', 1)[0];
}

/**
 * @param {Results} own with the library that the tests are of
 * @param {Results} other with the other one
 * @param {Explained[]} table for this package and form
 * @returns {Comparison}
 */
export function compareResults(own, other, table) {
  const reasons = new Map(table.map(({ test, reason }) => [test, reason]));
  /** @type {Comparison} */
  const found = {
    ...{ passed: 0, skipped: 0, unexplained: [], explained: [], both: [], needless: [] },
    passedBefore: [...own.values()].filter(({ outcome }) => outcome === 'passed').length,
  };
  for (const test of new Set([...own.keys(), ...other.keys()])) {
    const before = own.get(test);
    const { outcome, message } = other.get(test) ?? missing(before);
    const reason = reasons.get(test);
    if (outcome === 'passed') found.passed++;
    else if (outcome === 'skipped' && before?.outcome !== 'passed') found.skipped++;
    else if (before?.outcome === 'failed') found.both.push(test);
    else if (reason !== undefined) found.explained.push({ test, reason });
    else found.unexplained.push({ test, message: outcome === 'skipped' ? 'is skipped' : message });
  }
  const failing = new Set(found.explained.map(({ test }) => test));
  found.needless = [...reasons.keys()].filter((test) => !failing.has(test));
  return found;
}

/** @type {(before: Result | undefined) => Result} of a test that did not run: a hook that fails leaves tests out */
function missing(before) {
  return before?.outcome === 'skipped' ? before : { outcome: 'failed', message: 'did not run' };
}

/** @param {Comparison} comparison  @returns {string[]} lines */
export function describeComparison(comparison) {
  const { passed, passedBefore, skipped, unexplained, explained, both, needless } = comparison;
  const failed = unexplained.length + explained.length + both.length;
  return [
    `${passed} pass, ${failed} fail, ${skipped} are skipped; with bson itself ${passedBefore} pass`,
    ...unexplained.map(({ test, message }) => `fails: ${test}\n    ${message}`),
    ...explained.map(({ test, reason }) => `fails, explained: ${test}\n    ${reason}`),
    ...both.map((test) => `fails with bson itself, too: ${test}`),
    ...needless.map((test) => `explained, but does not fail: ${test}`),
  ];
}

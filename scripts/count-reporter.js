import { relative } from 'node:path';
import { LEFT_OUT } from '../harness/testing/support/parts.js';

/**
 * What jest says of a run, as far as it is used.
 *
 * @typedef {object} Results
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numRuntimeErrorTestSuites
 * @property {{ testFilePath: string, testResults: { status: string, ancestorTitles: string[], title: string }[] }[]} testResults
 */

/** A jest reporter that ends with the failures, and one plain line: `N passed, N failed, N skipped`. */
export default class CountReporter {
  /**
   * @param {unknown} _contexts
   * @param {Results} results
   */
  onRunComplete(_contexts, results) {
    const tests = results.testResults.flatMap(({ testFilePath, testResults }) =>
      testResults.map((result) => ({
        ...result,
        name: [relative('', testFilePath), ...result.ancestorTitles, result.title].join(' › '),
      })),
    );
    for (const { status, name } of tests) {
      if (status === 'failed') process.stdout.write(`  ● ${name}\n`);
    }
    // A file that cannot be loaded has no tests to count, but is a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = tests.filter(
      ({ status, name }) => ['pending', 'todo'].includes(status) && !name.includes(LEFT_OUT),
    ).length;
    const closing = skipped > 0 ? `, ${skipped} skipped` : '';
    process.stdout.write(`${results.numPassedTests} passed, ${failed} failed${closing}\n`);
  }
}

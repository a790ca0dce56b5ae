/** A jest reporter that ends with one plain line, `N passed, N failed, N skipped`. */
export default class CountReporter {
  /**
   * @param {unknown} _contexts
   * @param {Record<'numPassedTests' | 'numFailedTests' | 'numRuntimeErrorTestSuites' | 'numPendingTests' | 'numTodoTests', number>} results
   */
  onRunComplete(_contexts, results) {
    // A file that cannot be loaded has no tests to count, but is a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const closing = skipped > 0 ? `, ${skipped} skipped` : '';
    process.stdout.write(`${results.numPassedTests} passed, ${failed} failed${closing}\n`);
  }
}

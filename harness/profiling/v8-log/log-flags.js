/**
 * Flags of node for a log that `parseLog` reads.
 *
 * @param {string} logPath
 * @param {string} tracePath where V8 puts what it would otherwise print on standard output, into the
 *   worker's report
 * @returns {string[]}
 */
export function listLogFlags(logPath, tracePath) {
  return [
    '--log-code',
    '--log-deopt',
    '--log-ic',
    `--logfile=${logPath}`,
    '--no-logfile-per-isolate',
    '--redirect-code-traces',
    `--redirect-code-traces-to=${tracePath}`,
  ];
}

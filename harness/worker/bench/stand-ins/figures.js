/**
 * Figures in the place of those that a benchmark package measures: the file's own timing is not used. Whatever a file
 * reads of them is there, and 0.
 */

const STATISTICS = [
  ...['aad', 'critical', 'df', 'mad', 'max', 'mean', 'min', 'moe', 'p50', 'p75', 'p99', 'p995'],
  ...['p999', 'rme', 'sd', 'sem', 'variance', 'avg', 'p25', 'deviation'],
];

/** @returns {any} */
function makeStatistics() {
  return { ...Object.fromEntries(STATISTICS.map((name) => [name, 0])), samples: [], sample: [] };
}

/** @returns {any} a result as tinybench, benchmark.js and mitata give it */
export function makeResult() {
  return {
    ...makeStatistics(),
    hz: 0,
    period: 0,
    totalTime: 0,
    latency: makeStatistics(),
    throughput: makeStatistics(),
    stats: makeStatistics(),
  };
}

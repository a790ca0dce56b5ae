import { conclude, makePackagePeer, readFigures } from './peer.js';

/** @import { PeerFinding } from './types.ts' */

/**
 * tinybench prints `Latency avg (ns)` as mean ± relative margin of error, and does not compare: its
 * user checks whether the two ranges overlap.
 */
export const peer = makePackagePeer({
  name: 'tinybench',
  rule: 'the latencies, mean ± margin of error as in its table, do not overlap',
  wanted: { name: 'tinybench', version: '6.2.3', sizeMB: 1 },
  readFigures: readTinybench,
});

/**
 * @param {string} text output of `inside/tinybench.js`
 * @returns {PeerFinding}
 * @throws {import('../../../lib/errors.js').FormatError} when it is invalid
 */
export function readTinybench(text) {
  const { baseline, candidate } = readFigures(text, 'tinybench', ['meanMs', 'marginPercent']);
  const ratio = candidate.meanMs / baseline.meanMs;
  const [fast, slow] = ratio > 1 ? [baseline, candidate] : [candidate, baseline];
  const isApart =
    slow.meanMs * (1 - slow.marginPercent / 100) > fast.meanMs * (1 + fast.marginPercent / 100);
  return conclude(ratio, isApart);
}

import { FormatError } from '../../../lib/errors.js';
import { makePackagePeer, readFigures } from './peer.js';

/** @import { PeerFinding } from './types.ts' */

/**
 * benchmark.js is asked for `filter('fastest')`: everything that its own test (Mann–Whitney, at 5 %) does not
 * separate from the fastest.
 */
export const peer = makePackagePeer({
  name: 'benchmark-js',
  rule: "its filter('fastest') returns one of the two (its own Mann–Whitney test)",
  wanted: { name: 'benchmark', version: '2.1.4', sizeMB: 6 },
  readFigures: readBenchmarkJs,
});

/**
 * @param {string} text output of `inside/benchmark-js.js`
 * @returns {PeerFinding}
 * @throws {FormatError} when it is invalid
 */
export function readBenchmarkJs(text) {
  const { baseline, candidate, all } = readFigures(text, 'benchmark-js', ['meanNs']);
  const { fastest } = all;
  if (!Array.isArray(fastest) || fastest.length === 0) {
    throw new FormatError('the output of benchmark-js names no fastest arm');
  }
  const ratio = candidate.meanNs / baseline.meanNs;
  if (fastest.length > 1) return { ratio, conclusion: 'no difference' };
  return { ratio, conclusion: fastest[0] === 'candidate' ? 'faster' : 'slower' };
}

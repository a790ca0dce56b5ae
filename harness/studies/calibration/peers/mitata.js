import { conclude, makePackagePeer, readFigures } from './peer.js';

/** @import { PeerFinding } from './types.ts' */

/**
 * mitata's `summary` divides the averages, rounds to two places and prints `1.02x faster than`. It
 * has no margin of error: to its user, anything but `1x` is a difference.
 */
export const peer = makePackagePeer({
  name: 'mitata',
  rule: 'its summary prints another factor than 1x faster (two decimal places)',
  wanted: { name: 'mitata', version: '1.0.34', sizeMB: 1 },
  nodeFlags: ['--expose-gc'],
  readFigures: readMitata,
});

/**
 * @param {string} text output of `inside/mitata.js`
 * @returns {PeerFinding}
 * @throws {import('../../../lib/errors.js').FormatError} when it is invalid
 */
export function readMitata(text) {
  const { baseline, candidate } = readFigures(text, 'mitata', ['meanNs']);
  const ratio = candidate.meanNs / baseline.meanNs;
  const printed = Math.max(ratio, 1 / ratio).toFixed(2);
  return conclude(ratio, printed !== '1.00');
}

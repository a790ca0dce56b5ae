import { FormatError } from '../../../lib/errors.js';
import { makePackagePeer, readFigures } from './peer.js';

/** @import { PeerFinding } from './types.ts' */

/** bench-node in its t-test mode prints a star after what Welch's test tells from the baseline. */
export const peer = makePackagePeer({
  name: 'bench-node',
  rule: 'its t-test mode prints a star (Welch, p < 0.05 over 30 repetitions)',
  wanted: { name: 'bench-node', version: '0.15.0', sizeMB: 2 },
  nodeFlags: ['--allow-natives-syntax'],
  readFigures: readBenchNode,
});

/**
 * @param {string} text figures as `inside/bench-node.js` writes them
 * @returns {PeerFinding}
 * @throws {FormatError} when they are not those
 */
export function readBenchNode(text) {
  const { baseline, candidate, all } = readFigures(text, 'bench-node', ['callsPerSecond']);
  if (typeof all.significant !== 'boolean') {
    throw new FormatError('the figures of bench-node do not say whether they are significant');
  }
  const ratio = baseline.callsPerSecond / candidate.callsPerSecond;
  return { ratio, said: all.significant ? (ratio > 1 ? 'slower' : 'faster') : 'no difference' };
}

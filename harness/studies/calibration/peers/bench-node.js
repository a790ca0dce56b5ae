import { FormatError } from '../../../lib/errors.js';
import { conclude, makePackagePeer, readFigures } from './peer.js';

/** @import { PeerFinding } from './types.ts' */

/** bench-node in its t-test mode prints a star after results that differ from the baseline by Welch's test. */
export const peer = makePackagePeer({
  name: 'bench-node',
  rule: 'its t-test mode prints a star (Welch, p < 0.05 over 30 repetitions)',
  wanted: { name: 'bench-node', version: '0.15.0', sizeMB: 2 },
  nodeFlags: ['--allow-natives-syntax'],
  readFigures: readBenchNode,
});

/**
 * @param {string} text output of `inside/bench-node.js`
 * @returns {PeerFinding}
 * @throws {FormatError} when it is invalid
 */
export function readBenchNode(text) {
  const { baseline, candidate, all } = readFigures(text, 'bench-node', ['callsPerSecond']);
  if (typeof all.significant !== 'boolean') {
    throw new FormatError(
      'the output of bench-node does not say whether the difference is significant',
    );
  }
  const ratio = baseline.callsPerSecond / candidate.callsPerSecond;
  return conclude(ratio, all.significant);
}

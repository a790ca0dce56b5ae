import { didYouMean } from '../../../lib/words.js';
import { UsageError } from '../../../lib/errors.js';
import { peer as assay } from './assay.js';
import { peer as benchNode } from './bench-node.js';
import { peer as benchmarkJs } from './benchmark-js.js';
import { peer as hyperfine } from './hyperfine.js';
import { peer as mitata } from './mitata.js';
import { peer as tinybench } from './tinybench.js';

/** @import { Peer } from './types.ts' */

/** All tools that `just calibrate --peers` compares, including Assay. */
export const PEERS = Object.freeze([tinybench, mitata, benchmarkJs, benchNode, hyperfine, assay]);

/**
 * @param {string[] | undefined} names as typed; none for all
 * @returns {Peer[]}
 * @throws {UsageError} when a peer does not exist
 */
export function choosePeers(names) {
  if (names === undefined || names.length === 0) return [...PEERS];
  const known = PEERS.map(({ name }) => name);
  return names.map((name) => {
    const peer = PEERS.find((one) => one.name === name);
    if (peer !== undefined) return peer;
    throw new UsageError(`no peer '${name}'${didYouMean(name, known)}`, {
      remedy: `there are ${known.join(', ')}`,
    });
  });
}

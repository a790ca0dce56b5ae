import { functionKey } from './function-key.js';
import { pairFrames } from './pair-frames.js';

/** @import { DifferentialProfile, Profile } from '../../formats/profile-types.ts' */

// Parent and frame make one number, which is exact up to 2^53.
const FRAMES_AT_MOST = 2 ** 26;

/**
 * Lays two profiles of the same unit, each per document, over each other. Frames are the baseline's
 * where both sides have the function.
 *
 * @param {Profile} baseline
 * @param {Profile} candidate
 * @returns {DifferentialProfile}
 */
export function differentiate(baseline, candidate) {
  const { frames: paired, indexes } = pairFrames(baseline.frames, candidate.frames);
  /** @type {DifferentialProfile} */
  const difference = { unit: baseline.unit, frames: paired, nodes: [] };
  /** @type {Map<number, number>} */
  const nodeIndexes = new Map();
  for (const [side, { frames, nodes }] of /** @type {const} */ ([
    ['baseline', baseline],
    ['candidate', candidate],
  ])) {
    const frameOf = frames.map((frame) => indexes[side].get(functionKey(frame)) ?? -1);
    const nodeOf = new Int32Array(nodes.length);
    for (let index = 0; index < nodes.length; index++) {
      const frame = frameOf[nodes[index].frame];
      const parent = nodes[index].parent === -1 ? -1 : nodeOf[nodes[index].parent];
      const key = (parent + 1) * FRAMES_AT_MOST + frame;
      const node = nodeIndexes.get(key) ?? difference.nodes.length;
      if (node === difference.nodes.length) {
        nodeIndexes.set(key, node);
        difference.nodes.push({ frame, parent, baseline: 0, candidate: 0 });
      }
      nodeOf[index] = node;
      difference.nodes[node][side] += nodes[index].self;
    }
  }
  return difference;
}

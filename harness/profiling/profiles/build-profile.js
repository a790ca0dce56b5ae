import { functionKey } from './frames.js';

/** @import { Frame, Profile, ProfileNode } from '../../formats/profile-types.ts' */

/**
 * @typedef {object} ProfileBuilder
 * @property {(frame: Frame) => number} addFrame index of the frame, a new one where it is unknown
 * @property {(parent: number, frame: number) => number} addNode index of the node of that frame
 *   under that parent (−1: among the roots), a new one where there is none
 * @property {(node: number, weight: number) => void} addSelf
 * @property {(frame: number, line: number, weight: number) => void} addLine weights of the lines of
 *   a function in proportion to each other
 * @property {(samples: number) => Profile} finish
 */

// Parent and frame make one number, which is exact up to 2^53.
const FRAMES_AT_MOST = 2 ** 26;

/**
 * Puts stacks together to a profile: siblings of the same frame become one node, and the lines of a
 * function sum to its self weight. Frames are kept apart by line and column too, since a file has
 * many functions without a name.
 *
 * @param {Pick<Profile, 'source' | 'unit'>} origin
 * @returns {ProfileBuilder}
 */
export function buildProfile({ source, unit }) {
  /** @type {Frame[]} */
  const frames = [];
  /** @type {ProfileNode[]} */
  const nodes = [];
  /** @type {Map<string, number>} */
  const frameIndexes = new Map();
  /** @type {Map<number, number>} */
  const nodeIndexes = new Map();
  /** @type {Map<number, Map<number, number>>} */
  const lineWeights = new Map();

  return {
    addFrame(frame) {
      const key = `${frame.line}:${frame.column}\t${functionKey(frame)}`;
      const known = frameIndexes.get(key);
      if (known !== undefined) return known;
      frameIndexes.set(key, frames.length);
      return frames.push(frame) - 1;
    },
    addNode(parent, frame) {
      const key = (parent + 1) * FRAMES_AT_MOST + frame;
      const known = nodeIndexes.get(key);
      if (known !== undefined) return known;
      nodeIndexes.set(key, nodes.length);
      return nodes.push({ frame, parent, self: 0 }) - 1;
    },
    addSelf(node, weight) {
      nodes[node].self += weight;
    },
    addLine(frame, line, weight) {
      const ofFrame = lineWeights.get(frame) ?? new Map();
      lineWeights.set(frame, ofFrame.set(line, (ofFrame.get(line) ?? 0) + weight));
    },
    finish(samples) {
      const lines = fitLines(lineWeights, nodes);
      return { source, unit, ...dropUnused(frames, nodes, lines), samples };
    },
  };
}

/**
 * @param {Frame[]} frames
 * @param {ProfileNode[]} nodes
 * @param {Profile['lines']} lines of frames that have nodes
 * @returns {Pick<Profile, 'frames' | 'nodes' | 'lines'>} without frames that have no node
 */
function dropUnused(frames, nodes, lines) {
  const isUsed = new Uint8Array(frames.length);
  for (const { frame } of nodes) isUsed[frame] = 1;
  const indexes = new Int32Array(frames.length);
  let used = 0;
  for (let frame = 0; frame < frames.length; frame++) {
    indexes[frame] = used;
    used += isUsed[frame];
  }
  return {
    frames: frames.filter((_, frame) => isUsed[frame] === 1),
    nodes: nodes.map(({ frame, parent, self }) => ({ frame: indexes[frame], parent, self })),
    lines: lines.map(({ frame, line, self }) => ({ frame: indexes[frame], line, self })),
  };
}

/**
 * @param {Map<number, Map<number, number>>} lineWeights by frame, then by line
 * @param {ProfileNode[]} nodes
 * @returns {Profile['lines']}
 */
function fitLines(lineWeights, nodes) {
  /** @type {Map<number, number>} */
  const selves = new Map();
  for (const { frame, self } of nodes) selves.set(frame, (selves.get(frame) ?? 0) + self);
  const lines = [];
  for (const [frame, weights] of lineWeights) {
    let sum = 0;
    for (const weight of weights.values()) sum += weight;
    const self = selves.get(frame) ?? 0;
    if (sum <= 0 || self === 0) continue;
    for (const [line, weight] of weights) lines.push({ frame, line, self: (weight / sum) * self });
  }
  return lines;
}

import { functionKey } from './frames.js';

/** @import { DifferentialProfile, Frame, Profile, ProfileLine, ProfileNode } from '../../formats/profile-types.ts' */

/**
 * @typedef {object} ProfileBuilder
 * @property {(frame: Frame) => number} addFrame index of the frame, added if new
 * @property {(parent: number, frame: number) => number} addNode index of the node with that frame below
 *   that parent (−1: a root), added if new
 * @property {(node: number, weight: number) => void} addSelf
 * @property {(frame: number, line: Omit<ProfileLine, 'frame' | 'self'>, weight: number) => void} addLine relative weights
 *   of the lines of a function
 * @property {(samples: number) => Profile} finish
 */

// Parent and frame form one number, exact up to 2^53.
const FRAMES_AT_MOST = 2 ** 26;

/**
 * Builds the call tree of a profile: siblings with the same frame become one node, and the lines of a
 * function sum to its self weight. Frames also differ by line and column, since a file can have many
 * anonymous functions.
 * @type {(origin: Pick<Profile, 'source' | 'unit'>) => ProfileBuilder}
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
  /** @type {LineWeights} */
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
      const known = ofFrame.get(line.line) ?? { ...line, weight: 0 };
      known.weight += weight;
      lineWeights.set(frame, ofFrame.set(line.line, known));
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
    lines: lines.map(({ frame, ...line }) => ({ frame: indexes[frame], ...line })),
  };
}

/**
 * @typedef {Map<number, Map<number, Omit<ProfileLine, 'frame' | 'self'> & { weight: number }>>} LineWeights by frame, then by line
 *
 * @param {LineWeights} lineWeights
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
    for (const { weight } of weights.values()) sum += weight;
    const self = selves.get(frame) ?? 0;
    if (sum <= 0 || self === 0) continue;
    for (const { weight, ...line } of weights.values()) {
      lines.push({ frame, ...line, self: (weight / sum) * self });
    }
  }
  return lines;
}

/**
 * Merges two profiles of the same unit, each per document, into one tree. Frames are those of the
 * baseline if both arms have the function.
 * @type {(baseline: Profile, candidate: Profile) => DifferentialProfile}
 */
export function differentiate(baseline, candidate) {
  const { frames: joined, indexes } = pairFrames(baseline.frames, candidate.frames);
  /** @type {DifferentialProfile} */
  const difference = { unit: baseline.unit, frames: joined, nodes: [] };
  /** @type {Map<number, number>} */
  const nodeIndexes = new Map();
  for (const [arm, { frames, nodes }] of /** @type {const} */ ([
    ['baseline', baseline],
    ['candidate', candidate],
  ])) {
    const frameOf = frames.map((frame) => indexes[arm].get(functionKey(frame)) ?? -1);
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
      difference.nodes[node][arm] += nodes[index].self;
    }
  }
  return difference;
}

/**
 * Matches the functions of two arms: first by key; of the rest, JavaScript functions by name if each arm
 * has exactly one of that name, so that a package can be compared with a variant derived from it.
 *
 * @param {Frame[]} baseline
 * @param {Frame[]} candidate
 * @returns {{ frames: Frame[], indexes: Record<'baseline' | 'candidate', Map<string, number>> }} each
 *   function once, with the baseline's frame if both have it, and its index by function key
 */
export function pairFrames(baseline, candidate) {
  /** @type {Frame[]} */
  const frames = [];
  const indexes = {
    baseline: new Map(baseline.map((frame) => [functionKey(frame), -1])),
    candidate: new Map(candidate.map((frame) => [functionKey(frame), -1])),
  };
  const partners = listLoneNames(candidate, indexes.baseline);
  const loners = listLoneNames(baseline, indexes.candidate);
  for (const frame of baseline) {
    const key = functionKey(frame);
    if (indexes.baseline.get(key) !== -1) continue;
    const index = frames.push(frame) - 1;
    indexes.baseline.set(key, index);
    if (indexes.candidate.has(key)) indexes.candidate.set(key, index);
    const partner = loners.get(frame.name) === key ? partners.get(frame.name) : undefined;
    if (partner !== undefined && partner !== null) indexes.candidate.set(partner, index);
  }
  for (const frame of candidate) {
    const key = functionKey(frame);
    if (indexes.candidate.get(key) === -1) indexes.candidate.set(key, frames.push(frame) - 1);
  }
  return { frames, indexes };
}

/**
 * @param {Frame[]} frames
 * @param {Map<string, unknown>} others keys of the other arm
 * @returns {Map<string, string | null>} keys by name of the JavaScript functions that the other arm does
 *   not have; null if several have the name
 */
function listLoneNames(frames, others) {
  /** @type {Map<string, string | null>} */
  const names = new Map();
  for (const frame of frames) {
    const key = functionKey(frame);
    if (frame.kind !== 'js' || frame.name === '(anonymous)' || others.has(key)) continue;
    const known = names.get(frame.name);
    names.set(frame.name, known === undefined || known === key ? key : null);
  }
  return names;
}

/**
 * Visits trees depth first, without recursion, since recorded stacks may be too deep for it.
 *
 * @param {{ parent: number }[]} nodes parents before their children
 * @param {(node: number) => void} enter
 * @param {(node: number) => void} leave after its descendants
 * @returns {void}
 */
export function walkNodes(nodes, enter, leave) {
  // Linked lists of the children of each node; the last one is that of the roots.
  const firstChild = new Int32Array(nodes.length + 1).fill(-1);
  const nextSibling = new Int32Array(nodes.length).fill(-1);
  for (let index = nodes.length - 1; index >= 0; index--) {
    const parent = nodes[index].parent === -1 ? nodes.length : nodes[index].parent;
    nextSibling[index] = firstChild[parent];
    firstChild[parent] = index;
  }
  let node = firstChild[nodes.length];
  while (node !== -1) {
    enter(node);
    if (firstChild[node] !== -1) {
      node = firstChild[node];
      continue;
    }
    leave(node);
    while (nextSibling[node] === -1 && nodes[node].parent !== -1) {
      node = nodes[node].parent;
      leave(node);
    }
    node = nextSibling[node];
  }
}

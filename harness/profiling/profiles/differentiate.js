import { functionKey } from './frames.js';

/** @import { DifferentialProfile, Frame, Profile } from '../../formats/profile-types.ts' */

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

/**
 * Finds which functions of two sides are the same. Those with the same key are; of the rest, a
 * function of JavaScript is paired by its name where each side has exactly one of that name, so that
 * a package and a variant that was taken from it can be compared.
 *
 * @param {Frame[]} baseline
 * @param {Frame[]} candidate
 * @returns {{ frames: Frame[], indexes: Record<'baseline' | 'candidate', Map<string, number>> }} each
 *   function once, the baseline's frame where both have it, and the index among them by function key
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
 * @param {Map<string, unknown>} others keys of the other side
 * @returns {Map<string, string | null>} key by name, of the functions of JavaScript that the other
 *   side does not have; null where several have the name
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

import { pairFrames } from '../profiles/pair-frames.js';
import { sumByFunction } from '../profiles/sum-by-function.js';
import { addSamples } from './compare-samples.js';

/** @import { Frame, Profile } from '../../formats/profile-types.ts' */
/** @import { FunctionSamples, PairedFunction, Sample, Side } from './types.ts' */

/**
 * A process as a list of functions: what is found, and by how much it is multiplied.
 *
 * @typedef {object} ScaledProfile
 * @property {Profile} profile
 * @property {number} factor
 */

/**
 * Functions of both sides, each with one figure a process; a process that never ran a function
 * counts as zero.
 *
 * @param {Record<Side, ScaledProfile[]>} sides
 * @returns {PairedFunction[]}
 */
export function pairFunctions(sides) {
  const baseline = collectFunctions(sides.baseline);
  const candidate = collectFunctions(sides.candidate);
  const { frames, indexes } = pairFrames(framesOf(baseline), framesOf(candidate));
  /** @type {PairedFunction[]} */
  const pairs = frames.map((frame) => ({ frame, baseline: null, candidate: null }));
  for (const [key, functionSamples] of baseline) {
    pairs[/** @type {number} */ (indexes.baseline.get(key))].baseline = functionSamples;
  }
  for (const [key, functionSamples] of candidate) {
    const pair = pairs[/** @type {number} */ (indexes.candidate.get(key))];
    pair.candidate = functionSamples;
    pair.frame = functionSamples.frame;
  }
  return pairs;
}

/**
 * @param {Map<string, { frame: Frame }>} functions
 * @returns {Frame[]}
 */
function framesOf(functions) {
  return [...functions.values()].map(({ frame }) => frame);
}

/**
 * @param {ScaledProfile[]} processes
 * @returns {Map<string, FunctionSamples & { frame: Frame }>} by function key
 */
function collectFunctions(processes) {
  /** @type {Map<string, FunctionSamples & { frame: Frame }>} */
  const functions = new Map();
  processes.forEach(({ profile, factor }, process) => {
    const whole = sumWeights(profile);
    for (const [key, { frame, self, total }] of sumByFunction(profile)) {
      // A frame that no stack leads to was not run.
      if (total === 0) continue;
      const known = functions.get(key) ?? {
        frame,
        self: addSamples([], processes.length),
        total: addSamples([], processes.length),
      };
      functions.set(key, known);
      known.self[process] = makeSample(self, whole, profile.samples, factor);
      known.total[process] = makeSample(total, whole, profile.samples, factor);
    }
  });
  return functions;
}

/**
 * A weight and how well so many samples can tell it: each of them falls into the function or not.
 *
 * @param {number} weight
 * @param {number} whole of the profile
 * @param {number} samples behind the whole
 * @param {number} factor
 * @returns {Sample}
 */
function makeSample(weight, whole, samples, factor) {
  const share = Math.min(1, weight / whole);
  const value = weight * factor;
  return {
    value,
    samplingVariance: samples === 0 ? 0 : ((whole * factor) ** 2 * share * (1 - share)) / samples,
  };
}

/**
 * @param {Profile} profile
 * @returns {number} weight of all nodes together
 */
export function sumWeights(profile) {
  return profile.nodes.reduce((total, { self }) => total + self, 0);
}

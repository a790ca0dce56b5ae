import { differentiate } from '../profiles/differentiate.js';
import { sumByFunction } from '../profiles/sum-by-function.js';

/** @import { Frame, Profile } from '../profiles/types.ts' */
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
  const { nodes } = differentiate(numberFunctions(baseline), numberFunctions(candidate));
  return nodes.map(({ baseline: before, candidate: after }) => {
    const one = before === 0 ? null : baseline[before - 1];
    const other = after === 0 ? null : candidate[after - 1];
    const { frame } = /** @type {{ frame: Frame }} */ (other ?? one);
    return { frame, baseline: one, candidate: other };
  });
}

/**
 * A profile in which every function is called once and weighs its number, counted from 1: the
 * difference of two such profiles says which numbers belong together.
 *
 * @param {{ frame: Frame }[]} functions
 * @returns {Profile}
 */
function numberFunctions(functions) {
  return {
    source: 'perf',
    unit: 'ns',
    frames: functions.map(({ frame }) => frame),
    nodes: functions.map((_, index) => ({ frame: index, parent: -1, self: index + 1 })),
    lines: [],
    samples: 0,
  };
}

/**
 * @param {ScaledProfile[]} processes
 * @returns {(FunctionSamples & { frame: Frame })[]} each function once
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
        self: makeZeroes(processes.length),
        total: makeZeroes(processes.length),
      };
      functions.set(key, known);
      known.self[process] = makeSample(self, whole, profile.samples, factor);
      known.total[process] = makeSample(total, whole, profile.samples, factor);
    }
  });
  return [...functions.values()];
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

/**
 * @param {number} processes
 * @returns {Sample[]}
 */
function makeZeroes(processes) {
  return Array.from({ length: processes }, () => ({ value: 0, samplingVariance: 0 }));
}

import { pairFrames } from '../profiles/differentiate.js';
import { sumByFunction } from '../profiles/sum-by-function.js';
import { addSamples, compareSamples, meanOfSamples } from './samples.js';

/** @import { CellExplanation, DeoptLog, FunctionChange, Interval } from '../../formats/types.ts' */
/** @import { CellEvidence, FunctionSamples, PairedFunction, Sample, ScaledSides, Side } from './types.ts' */
/** @import { Frame, Profile } from '../../formats/profile-types.ts' */

/** A change below this share of the larger side is not worth a line … */
const MIN_SHARE = 0.005;
/** … and nobody reads further than this. */
const MAX_FUNCTIONS = 40;

/**
 * The functions whose time changed, and what all the others come to. Changes of self time, the rest
 * included, sum to the difference of the two levels.
 *
 * @param {ScaledSides} sides
 * @returns {Pick<CellExplanation, 'functions' | 'rest'>}
 */
export function compareFunctions(sides) {
  const least = MIN_SHARE * Math.max(sides.levelNs.baseline, sides.levelNs.candidate);
  const changes = sides.functions
    .map((pair) => describeChange(pair, sides))
    .sort((one, two) => sizeOf(two.self) - sizeOf(one.self));
  const functions = changes
    .filter(({ self, total }) => Math.max(sizeOf(self), sizeOf(total)) > least)
    .slice(0, MAX_FUNCTIONS);
  const left = changes.length - functions.length;
  const difference = sides.levelNs.candidate - sides.levelNs.baseline;
  const told = functions.reduce((sum, { self }) => sum + self.estimate, 0);
  return { functions, rest: { functions: left, selfNs: left === 0 ? 0 : difference - told } };
}

/**
 * @param {PairedFunction} pair
 * @param {Side} side
 * @param {ScaledSides['processes']} processes
 * @returns {Sample[]} of self time; zeroes where the side never runs the function
 */
export function selfSamples(pair, side, processes) {
  return pair[side]?.self ?? addSamples([], processes[side]);
}

/**
 * @param {PairedFunction} pair
 * @param {ScaledSides} sides
 * @returns {FunctionChange}
 */
function describeChange(pair, { processes, timingError }) {
  const { name, kind, file, line } = pair.frame;
  const totals = {
    baseline: pair.baseline?.total ?? addSamples([], processes.baseline),
    candidate: pair.candidate?.total ?? addSamples([], processes.candidate),
  };
  const [before, after] = [
    selfSamples(pair, 'baseline', processes),
    selfSamples(pair, 'candidate', processes),
  ];
  return {
    name,
    kind,
    file,
    line,
    baseline: describeSide(pair.baseline),
    candidate: describeSide(pair.candidate),
    self: compareSamples(before, after, timingError),
    total: compareSamples(totals.baseline, totals.candidate, timingError),
  };
}

/**
 * @param {FunctionSamples | null} side
 * @returns {FunctionChange['baseline']}
 */
function describeSide(side) {
  if (side === null) return null;
  return { selfNs: meanOfSamples(side.self), totalNs: meanOfSamples(side.total) };
}

/** @param {Interval} change */
function sizeOf({ estimate }) {
  return Math.abs(estimate);
}

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

/**
 * V8's log without the functions that no profile saw at work: what only prepares documents is compiled
 * as chance has it. A function that is deoptimised after warm-up is kept, seen or not.
 *
 * @param {Pick<CellEvidence, 'deopts' | 'stacks'>} evidence
 * @returns {Record<Side, DeoptLog | null>} everything where there are no stacks
 */
export function keepMeasured({ deopts, stacks }) {
  const profiles = Object.values(stacks).flatMap(({ baseline, candidate }) => [
    ...baseline,
    ...candidate,
  ]);
  if (profiles.length === 0) return deopts;
  const seen = new Set(
    profiles.flatMap(({ frames }) => frames.map(({ name, file }) => keyOf(name, file))),
  );
  /** @param {DeoptLog | null} log */
  const keep = (log) =>
    log && {
      functions: log.functions.filter(
        ({ name, file, deopts: found }) =>
          seen.has(keyOf(name, file)) || found.some(({ late }) => late > 0),
      ),
    };
  return { baseline: keep(deopts.baseline), candidate: keep(deopts.candidate) };
}

/**
 * @param {string} name
 * @param {string | null} file
 */
function keyOf(name, file) {
  return `${name}\n${file}`;
}

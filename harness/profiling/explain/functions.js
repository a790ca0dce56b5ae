import { meanOf, sumOf } from '../../stats/means.js';
import { pairFrames } from '../profiles/call-tree.js';
import { sumByFunction } from '../profiles/transforms.js';
import { compareParts } from './parts.js';
import { addSamples, compareSamples, meanOfSamples } from './samples.js';

/** @import { CellEvidence, FunctionSamples, PairedFunction, Sample, ScaledArms, ComparedArm } from './types.ts' */
/** @import { SampledProfile } from './parts.js' */
/** @import { CellExplanation, DeoptLog, FunctionChange, Interval } from '../../formats/types.ts' */
/** @import { Frame, Profile } from '../../formats/profile-types.ts' */

/** An interval needs a variance, and a variance two processes. */
export const MIN_PROFILES = 2;

/** Native stacks show what V8's own profiler cannot, so they are preferred. */
const SOURCES = /** @type {const} */ (['perf', 'v8-cpu-profile']);

/**
 * Selects the source that explains the cell and scales each process to the timed mean of its arm, since
 * shares are more stable than times. Without timed jobs, profiles are scaled to the recorded mean.
 *
 * @param {CellEvidence} evidence
 * @returns {ScaledArms | null} null if no source has enough processes in both arms
 */
export function scaleArms(evidence) {
  for (const source of SOURCES) {
    const profiles = {
      baseline: keepFilled(evidence.stacks[source].baseline),
      candidate: keepFilled(evidence.stacks[source].candidate),
    };
    const fewest = Math.min(profiles.baseline.length, profiles.candidate.length);
    if (fewest >= MIN_PROFILES) return scale(evidence, source, profiles);
  }
  return null;
}

/**
 * Timed candidate minus baseline, with the interval of the ratio.
 *
 * @param {CellEvidence} evidence
 * @returns {Interval | null} nanoseconds per document; null if an arm was not timed
 */
export function measureDifference({ cell, timedNs: { baseline, candidate } }) {
  if (baseline === null || candidate === null || cell.effect === null) return null;
  const { low, high } = cell.effect.ratio;
  const estimate = candidate - baseline;
  return {
    estimate,
    low: Math.min(estimate, (low - 1) * baseline),
    high: Math.max(estimate, (high - 1) * baseline),
  };
}

/**
 * @param {CellEvidence} evidence
 * @param {ScaledArms['source']} source
 * @param {Record<ComparedArm, Profile[]>} profiles
 * @returns {ScaledArms}
 */
function scale(evidence, source, profiles) {
  const { timedNs } = evidence;
  const isTimed = timedNs.baseline !== null && timedNs.candidate !== null;
  const rawNs = {
    baseline: profiles.baseline.map(sumWeights),
    candidate: profiles.candidate.map(sumWeights),
  };
  /** @param {ComparedArm} arm */
  const levelOf = (arm) => (isTimed ? /** @type {number} */ (timedNs[arm]) : meanOf(rawNs[arm]));
  const levelNs = { baseline: levelOf('baseline'), candidate: levelOf('candidate') };
  /** @param {ComparedArm} arm */
  const scaled = (arm) =>
    profiles[arm].map((profile, process) =>
      sampleProfile(profile, levelNs[arm] / rawNs[arm][process]),
    );
  const measured = measureDifference(evidence);
  const timingError =
    measured === null ? 0 : (measured.high - measured.low) / 2 / levelNs.candidate;
  return {
    source,
    loop: evidence.loop,
    processes: { baseline: profiles.baseline.length, candidate: profiles.candidate.length },
    rawNs,
    levelNs,
    timingError,
    parts:
      evidence.cell.cell.sharesCore === true
        ? compareParts(
            { baseline: scaled('baseline'), candidate: scaled('candidate') },
            evidence.packages,
            timingError,
          )
        : [],
    functions: pairFunctions({ baseline: scaled('baseline'), candidate: scaled('candidate') }),
  };
}

/** @param {Profile[]} profiles @returns {Profile[]} those with samples of the loop */
function keepFilled(profiles) {
  return profiles.filter((profile) => sumWeights(profile) > 0);
}

/** Changes below this share of the larger arm are not listed … */
const MIN_SHARE = 0.005;
/** … and no more functions than this. */
const MAX_FUNCTIONS = 40;

/**
 * Lists the functions whose time changed, and the sum of the others. Changes of self time, the rest
 * included, sum to the difference of the two levels.
 * @type {(arms: ScaledArms) => Pick<CellExplanation, 'functions' | 'rest'>}
 */
export function compareFunctions(arms) {
  const least = MIN_SHARE * Math.max(arms.levelNs.baseline, arms.levelNs.candidate);
  const changes = arms.functions
    .map((pair) => describeChange(pair, arms))
    .sort((one, two) => sizeOf(two.self) - sizeOf(one.self));
  const functions = changes
    .filter(({ self, total }) => Math.max(sizeOf(self), sizeOf(total)) > least)
    .slice(0, MAX_FUNCTIONS);
  const left = changes.length - functions.length;
  const difference = arms.levelNs.candidate - arms.levelNs.baseline;
  const listed = sumOf(functions.map(({ self }) => self.estimate));
  return { functions, rest: { functions: left, selfNs: left === 0 ? 0 : difference - listed } };
}

/**
 * @param {PairedFunction} pair
 * @param {ComparedArm} arm
 * @param {ScaledArms['processes']} processes
 * @returns {Sample[]} of self time; zeros if the arm never runs the function
 */
export function selfSamples(pair, arm, processes) {
  return pair[arm]?.self ?? addSamples([], processes[arm]);
}

/** @type {(pair: PairedFunction, arms: ScaledArms) => FunctionChange} */
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
    baseline: describeArm(pair.baseline),
    candidate: describeArm(pair.candidate),
    self: compareSamples(before, after, timingError),
    total: compareSamples(totals.baseline, totals.candidate, timingError),
  };
}

/** @type {(arm: FunctionSamples | null) => FunctionChange['baseline']} */
function describeArm(arm) {
  if (arm === null) return null;
  return { selfNs: meanOfSamples(arm.self), totalNs: meanOfSamples(arm.total) };
}

/** @param {Interval} change */
function sizeOf({ estimate }) {
  return Math.abs(estimate);
}

/**
 * Pairs the functions of both arms, with one sample per process; zero for a process that never ran it.
 * @type {(arms: Record<ComparedArm, SampledProfile[]>) => PairedFunction[]}
 */
export function pairFunctions(arms) {
  const baseline = collectFunctions(arms.baseline);
  const candidate = collectFunctions(arms.candidate);
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

/** @type {(functions: Map<string, { frame: Frame }>) => Frame[]} */
function framesOf(functions) {
  return [...functions.values()].map(({ frame }) => frame);
}

/**
 * @param {SampledProfile[]} processes
 * @returns {Map<string, FunctionSamples & { frame: Frame }>} by function key
 */
function collectFunctions(processes) {
  /** @type {Map<string, FunctionSamples & { frame: Frame }>} */
  const functions = new Map();
  processes.forEach(({ profile, sample }, process) => {
    for (const [key, { frame, self, total }] of sumByFunction(profile)) {
      // A frame without stacks was not run.
      if (total === 0) continue;
      const known = functions.get(key) ?? {
        frame,
        self: addSamples([], processes.length),
        total: addSamples([], processes.length),
      };
      functions.set(key, known);
      known.self[process] = sample(self);
      known.total[process] = sample(total);
    }
  });
  return functions;
}

/**
 * @param {Profile} profile of one process
 * @param {number} factor that scales its weights
 * @returns {SampledProfile}
 */
export function sampleProfile(profile, factor) {
  const whole = sumWeights(profile);
  return { profile, sample: (weight) => makeSample(weight, whole, profile.samples, factor) };
}

/**
 * A weight with its sampling variance, which is that of a binomial proportion.
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

/** @param {Profile} profile @returns {number} weight of all nodes together */
export function sumWeights(profile) {
  return sumOf(profile.nodes.map(({ self }) => self));
}

/**
 * Removes functions without samples from V8's log, since compilation of code that only prepares
 * documents varies by chance. Functions deoptimised after warm-up are kept in any case.
 *
 * @param {Pick<CellEvidence, 'deopts' | 'stacks'>} evidence
 * @returns {Record<ComparedArm, DeoptLog | null>} unchanged without stacks
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

/** @param {string} name @param {string | null} file */
function keyOf(name, file) {
  return `${name}\n${file}`;
}

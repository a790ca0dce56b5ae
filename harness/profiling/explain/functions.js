import { meanOf, sumOf } from '../../stats/means.js';
import { pairFrames } from '../profiles/call-tree.js';
import { sumByFunction } from '../profiles/transforms.js';
import { compareParts } from './parts.js';
import { addSamples, compareSamples, forBothArms, meanOfSamples } from './samples.js';

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
    const profiles = forBothArms((arm) =>
      evidence.stacks[source][arm].filter((profile) => sumWeights(profile) > 0),
    );
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
  const { timedNs, loop, packages, cell } = evidence;
  const isTimed = timedNs.baseline !== null && timedNs.candidate !== null;
  const rawNs = forBothArms((arm) => profiles[arm].map(sumWeights));
  const levelNs = forBothArms((arm) =>
    isTimed ? /** @type {number} */ (timedNs[arm]) : meanOf(rawNs[arm]),
  );
  const scaled = forBothArms((arm) =>
    profiles[arm].map((profile, process) =>
      sampleProfile(profile, levelNs[arm] / rawNs[arm][process]),
    ),
  );
  const measured = measureDifference(evidence);
  const timingError =
    measured === null ? 0 : (measured.high - measured.low) / 2 / levelNs.candidate;
  return {
    source,
    loop,
    processes: forBothArms((arm) => profiles[arm].length),
    rawNs,
    levelNs,
    timingError,
    parts: cell.cell.sharesCore === true ? compareParts(scaled, packages, timingError) : [],
    functions: pairFunctions(scaled),
  };
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
    .map((pair) => makeChange(pair, arms))
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
 * Adds up the self time of functions; an arm that never runs one adds zeros.
 * @type {(pairs: PairedFunction[], arm: ComparedArm, processes: number) => Sample[]} one per process
 */
export function sumSelf(pairs, arm, processes) {
  const series = pairs.flatMap((pair) => (pair[arm] === null ? [] : [pair[arm].self]));
  return addSamples(series, processes);
}

/** @type {(pair: PairedFunction, arms: ScaledArms) => FunctionChange} */
function makeChange(pair, { processes, timingError }) {
  const { name, kind, file, line } = pair.frame;
  const edited = findEdited(pair);
  const samples = forBothArms((arm) => {
    const none = addSamples([], processes[arm]);
    return pair[arm] ?? { self: none, total: none };
  });
  const means = forBothArms((arm) =>
    pair[arm] === null
      ? null
      : { selfNs: meanOfSamples(samples[arm].self), totalNs: meanOfSamples(samples[arm].total) },
  );
  /** @param {'self' | 'total'} time */
  const changeOf = (time) =>
    compareSamples(samples.baseline[time], samples.candidate[time], timingError);
  return {
    ...{ name, kind, file, line },
    ...(edited === null ? {} : { edited }),
    ...means,
    self: changeOf('self'),
    total: changeOf('total'),
  };
}

/** @type {(pair: PairedFunction) => boolean | null} whether the revisions have it differently; null if unknown */
export function findEdited({ baseline, candidate }) {
  const known = [baseline, candidate].flatMap((arm) => arm?.frame.edited ?? []);
  return known.length === 0 ? null : known.includes(true);
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
  const functions = forBothArms((arm) => collectFunctions(arms[arm]));
  const lists = forBothArms((arm) => [...functions[arm].values()].map(({ frame }) => frame));
  const { frames, indexes } = pairFrames(lists.baseline, lists.candidate);
  /** @type {PairedFunction[]} */
  const pairs = frames.map((frame) => ({ frame, baseline: null, candidate: null }));
  // The frame of the candidate comes last, so that it is the one that is kept.
  for (const arm of /** @type {const} */ (['baseline', 'candidate'])) {
    for (const [key, found] of functions[arm]) {
      const pair = pairs[/** @type {number} */ (indexes[arm].get(key))];
      pair[arm] = found;
      pair.frame = found.frame;
    }
  }
  return pairs;
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
  const profiles = Object.values(stacks).flatMap((arms) => [...arms.baseline, ...arms.candidate]);
  if (profiles.length === 0) return deopts;
  const seen = new Set(
    profiles.flatMap(({ frames }) => frames.map(({ name, file }) => keyOf(name, file))),
  );
  return forBothArms((arm) => {
    const functions = deopts[arm]?.functions.filter(
      ({ name, file, deopts: found }) =>
        seen.has(keyOf(name, file)) || found.some(({ late }) => late > 0),
    );
    return functions === undefined ? null : { functions };
  });
}

/** @param {string} name @param {string | null} file */
function keyOf(name, file) {
  return `${name}\n${file}`;
}

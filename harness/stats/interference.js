import { splitPin } from '../lib/words.js';
import { meanOf, sumOf } from './means.js';
import { PROCESSES_PER_BLOCK } from './plan.js';
import { interpolateQuantile, takeMedian, takeQuantile } from './robust.js';

/** @import { PlacementObservation, Measurement, Observation, Question } from '../formats/types.ts' */

/** The quantile of all readings of the reference loop that is the undisturbed speed. */
const SPEED_QUANTILE = 0.2;
/** A batch is undisturbed when the readings before and after it are within this factor of that speed. */
const MAX_SLOWDOWN = 1.08;
/** A process needs so many undisturbed batches for a figure, or a quarter of all, if that is less. */
const MIN_UNDISTURBED = 6;
const MIN_UNDISTURBED_SHARE = 1 / 4;
/** The quantile of all readings that is the fastest speed of the processor. */
const FASTEST_QUANTILE = 0.02;
/** Slower than this factor of the fastest speed is never undisturbed. Steps of the frequency cost up to a
 * fifth, and all code alike; a neighbour on the same core costs forty per cent and more, and some code
 * more than other. */
const MAX_STEP = 1.25;

/**
 * The speed of the processor where nothing disturbs it, as times of the reference loop.
 *
 * @typedef {object} UndisturbedSpeed
 * @property {number} readingNs to which figures are converted
 * @property {number} coreReadingNs the same of the core alone on which a process of a pair ran
 * @property {number} limitNs a batch beside a slower reading is disturbed
 * @property {number} fastestNs the shortest usual reading
 * @property {boolean} isShared whether it is the speed of all arms, so that figures can be converted to it
 * @property {boolean} usesMean whether figures are means of batches, because the runtime of an arm does not report its
 *   collections
 */

/**
 * The undisturbed speed of arms in one cell that share it, by the jobs up to the first look: the figure of a
 * process must not change with what is measured later. Where most processes were slower, the limit rises so
 * that half of them have a figure, but only as far as steps of the frequency explain it.
 *
 * @param {Iterable<EarlyObservation>} observations of one cell, of all arms
 * @param {Question['looks']} looks
 * @param {number} [fastestElsewhereNs] fastest reading in other cells of the run, with which the cell shares its runtime.
 *   Where the own ones are slower than the frequency explains, the cell was disturbed throughout
 * @returns {UndisturbedSpeed | null} null where workers have no reference loop
 */
export function undisturbedSpeed(observations, looks, fastestElsewhereNs = Infinity) {
  const early = listEarly(observations, looks);
  const needed = early.flatMap(({ measurement }) => {
    const slowest = Float64Array.from(listSlowest(measurement.referenceLoopNs ?? [])).sort();
    return slowest.length === 0 ? [] : slowest[countNeeded(slowest.length) - 1];
  });
  if (needed.length === 0) return null;
  const readings = early.flatMap(({ measurement }) => measurement.referenceLoopNs ?? []);
  const ownFastestNs = takeQuantile(readings, FASTEST_QUANTILE);
  const fastestNs =
    ownFastestNs > fastestElsewhereNs * MAX_STEP ? fastestElsewhereNs : ownFastestNs;
  const usualNs = takeQuantile(readings, SPEED_QUANTILE);
  const wantedNs = Math.max(usualNs * MAX_SLOWDOWN, takeQuantile(needed, 0.5));
  const limitNs = Math.min(wantedNs, fastestNs * MAX_STEP);
  const readingNs = usualNs <= limitNs ? usualNs : fastestNs;
  const usesMean = early.some(({ measurement }) => measurement.gcMs === undefined);
  return { readingNs, coreReadingNs: readingNs, limitNs, fastestNs, isShared: true, usesMean };
}

/**
 * @param {Iterable<EarlyObservation>} observations of one cell
 * @param {Question['looks']} looks
 * @returns {number} the shortest usual reading before the first look; Infinity where there is none
 */
export function fastestReading(observations, looks) {
  const readings = listEarly(observations, looks).flatMap(
    ({ measurement }) => measurement.referenceLoopNs ?? [],
  );
  return readings.length === 0 ? Infinity : takeQuantile(readings, FASTEST_QUANTILE);
}

/** @type {(observations: Iterable<EarlyObservation>, looks: Question['looks']) => { measurement: Measurement }[]} those before the first look that measured */
function listEarly(observations, [firstLook = Infinity]) {
  return [...observations].flatMap(({ block, outcome, measurement }) =>
    outcome === 'done' && measurement !== undefined && block * PROCESSES_PER_BLOCK < firstLook
      ? [{ measurement }]
      : [],
  );
}

/** @type {(batches: number) => number} undisturbed ones that a process with so many batches needs for a figure */
const countNeeded = (batches) =>
  Math.min(MIN_UNDISTURBED, Math.ceil(MIN_UNDISTURBED_SHARE * batches));

/** @typedef {ReturnType<typeof import('./plan.js').pairOf> & { fastestNs?: number }} SpeedQuestion `fastestNs`: fastest reading in other cells */
/** @typedef {Pick<Observation, 'arm' | 'block' | 'position' | 'outcome'> & { measurement?: Measurement }} SpeedObservation */
/** @typedef {Omit<SpeedObservation, 'arm' | 'position'>} EarlyObservation */
/** @typedef {(observation: Pick<SpeedObservation, 'arm' | 'position'>) => UndisturbedSpeed | null} SpeedOf */

/**
 * The undisturbed speed that applies to a process. It is one for all arms, unless they run under different runtimes,
 * which compile the reference loop differently, too. Then an estimate of the speed of one arm has an
 * error that no standard error contains, so figures are not converted to it, and no step of the frequency
 * is excluded, which would select other steps in one arm than in the other. Where the fastest readings of
 * the arms are too far apart to come from the runtimes, one arm was never undisturbed, and there are no
 * figures. What a figure is, is the same for all arms.
 *
 * Of pairs, each core has a limit of its own, since one of two cores may be slower all the time; figures are converted to
 * one speed, and the comparison of pairs removes what remains of the difference.
 *
 * @param {SpeedObservation[]} observations of one cell
 * @param {SpeedQuestion} question
 * @returns {SpeedOf}
 */
export function undisturbedSpeeds(observations, question) {
  const { looks, baseline, candidate, cores, fastestNs } = question;
  if (pinOf(baseline) === pinOf(candidate)) {
    const shared = undisturbedSpeed(observations, looks, fastestNs);
    if (shared === null || cores === 1) return () => shared;
    const ofCores = Array.from({ length: cores }, (_, core) => {
      const there = observations.filter(({ position }) => position % cores === core);
      const own = undisturbedSpeed(there, looks, shared.fastestNs);
      return own && { ...shared, limitNs: own.limitNs, coreReadingNs: own.readingNs };
    });
    return ({ position }) => ofCores[position % cores] ?? shared;
  }
  const [own, others] = [true, false].map((isCandidate) =>
    undisturbedSpeed(
      observations.filter(({ arm }) => (arm === 'candidate') === isCandidate),
      looks,
    ),
  );
  const fastest = [own?.fastestNs ?? 1, others?.fastestNs ?? 1];
  const areNear = Math.max(...fastest) <= Math.min(...fastest) * MAX_STEP;
  const usesMean = own?.usesMean === true || others?.usesMean === true;
  /** @param {UndisturbedSpeed | null} speed */
  const separate = (speed) =>
    speed && {
      ...speed,
      limitNs: areNear ? speed.fastestNs * MAX_STEP : 0,
      isShared: false,
      usesMean,
    };
  const [ofCandidate, ofOthers] = [separate(own), separate(others)];
  return ({ arm }) => (arm === 'candidate' ? ofCandidate : ofOthers);
}

/** @type {(spec: string) => string | null} the runtime that a spec is pinned to */
export const pinOf = (spec) => splitPin(spec).runtime;

/** For each batch, the slower of the two readings beside it. @type {(readings: number[]) => number[]} */
function listSlowest(readings) {
  return readings.slice(1).map((after, index) => Math.max(readings[index], after));
}

/**
 * How much of a cell was measured while the processor was slower than its undisturbed speed, because
 * of a neighbour on the same core or the frequency.
 *
 * @param {SpeedObservation[]} observations of one cell
 * @param {SpeedQuestion} question
 * @returns {number | null} share of all batches, 0…1; null where workers have no reference loop
 */
export function shareDisturbed(observations, question) {
  const speedOf = undisturbedSpeeds(observations, question);
  let batches = 0;
  let disturbed = 0;
  for (const observation of observations) {
    const speed = speedOf(observation);
    if (speed === null) continue;
    const slowest = listSlowest(observation.measurement?.referenceLoopNs ?? []);
    batches += slowest.length;
    disturbed += slowest.filter((ns) => ns / speed.coreReadingNs > MAX_SLOWDOWN).length;
  }
  return batches === 0 ? null : disturbed / batches;
}

/**
 * The same for readings of the reference loop alone, taken one after the other. It recognises slow
 * readings by the fast ones, so it misses a processor that is disturbed all the time.
 *
 * @param {number[]} readings nanoseconds, at least one
 * @returns {number} share of them, 0…1
 */
export function shareDisturbedReadings(readings) {
  const limitNs = limitReadings(readings);
  return readings.filter((ns) => ns > limitNs).length / readings.length;
}

/**
 * @param {number[]} readings nanoseconds, at least one
 * @returns {number} beyond it a reading is disturbed
 */
export function limitReadings(readings) {
  return takeQuantile(readings, SPEED_QUANTILE) * MAX_SLOWDOWN;
}

/**
 * The quantile of batches that is the figure: disturbances mostly slow batches down, and so does code that has not settled.
 * It is interpolated, so that it does not depend on how many batches were undisturbed.
 */
const BATCH_QUANTILE = 0.1;

/**
 * The figure of a process. With a reference loop: a low quantile of the undisturbed batches without
 * garbage collection, plus the mean time of garbage collection, both at the undisturbed speed if all arms
 * share it; waiting for a processor is no part of it. Where the runtime of an arm does not report its collections: the
 * mean of the undisturbed batches, because the fast ones are those without a collection. Without a reference loop: the
 * median of the batches. Decisions 0017 and 0041 have the evidence.
 *
 * @param {Measurement} measurement
 * @param {UndisturbedSpeed | null} speed
 * @returns {number | null} nanoseconds per document, above 0; null where too few batches were
 *   undisturbed
 */
export function takeFigure(measurement, speed) {
  const batches = listUndisturbed(measurement, speed);
  const figure =
    batches === null ? takeMedian(measurement.batchNsPerDocument) : figureOf(batches, speed);
  return figure > 0 && figure < Infinity ? figure : null;
}

/** Share of the batches that make the corrected figure: those beside the fastest readings, disturbed or not. */
const CORRECTED_SHARE = 1 / 4;
/** The fewest of them, of a process that has as many batches. */
const MIN_CORRECTED = 6;
/**
 * How much more than the reference loop a neighbour slows code, as the power of its slowdown. Recorded cells have 1.0 to
 * 1.5, and nearly the same in all arms (decision 0051).
 */
const NEIGHBOUR_POWER = 1.2;

/**
 * By how much that power may differ between two arms. In 27 recorded cells it differed by 0.04 in the median and by 0.31 at
 * most, with the error of 16 to 128 processes.
 */
export const MAX_POWER_GAP = 0.8;

/**
 * A figure that every process has, however disturbed it was, and how far from undisturbed its batches were.
 *
 * @typedef {object} CorrectedFigure
 * @property {number} logFigure of nanoseconds per document at the undisturbed speed
 * @property {number} slowdown of the reference loop beside these batches against its fastest readings, log scale, beyond what
 *   an undisturbed batch may have
 */

/**
 * The figure of a process from the batches beside the fastest readings, each corrected by the reading beside it. It has
 * more noise than `takeFigure` where the processor was disturbed, and an error of its own: it takes all code to be slowed
 * alike, see `MAX_POWER_GAP`.
 *
 * @param {Measurement} measurement
 * @param {UndisturbedSpeed | null} speed
 * @returns {CorrectedFigure | null} null without a reference loop, or where arms have speeds of their own
 */
export function correctFigure(measurement, speed) {
  const batches = listBatches(measurement);
  if (speed === null || !speed.isShared || batches === null) return null;
  const corrected = batches.map(({ ownNs, idleNs, gcNs, readingNs, slowestNs }) => {
    const factor = (speed.readingNs / readingNs) ** NEIGHBOUR_POWER;
    const ratio = readingNs / speed.fastestNs;
    const slowdown = ratio > MAX_SLOWDOWN ? Math.log(ratio) : 0;
    return { ownNs: (ownNs - idleNs) * factor + idleNs, gcNs: gcNs * factor, slowdown, slowestNs };
  });
  const count = Math.max(MIN_CORRECTED, Math.round(CORRECTED_SHARE * corrected.length));
  const fastest = corrected.toSorted((a, b) => a.slowestNs - b.slowestNs).slice(0, count);
  const ownNs = combine(fastest, speed);
  const logFigure = Math.log(ownNs + meanOf(corrected.map(({ gcNs }) => gcNs)));
  if (!Number.isFinite(logFigure)) return null;
  return { logFigure, slowdown: meanOf(fastest.map(({ slowdown }) => slowdown)) };
}

/**
 * How slow the reference loop was beside the undisturbed batches of a process, against its usual speed on that core.
 *
 * @param {Measurement} measurement
 * @param {UndisturbedSpeed | null} speed
 * @returns {number | null} log scale; null where figures are not converted by it, or no batch was undisturbed
 */
export function takeReading(measurement, speed) {
  const batches = listUndisturbed(measurement, speed) ?? [];
  if (speed === null || !speed.isShared || batches.length === 0) return null;
  return Math.log(takeMedian(batches.map(({ readingNs }) => readingNs)) / speed.coreReadingNs);
}

/**
 * How far the mean of the undisturbed batches, with their waits, lies above the fast ones that make the figure.
 * It is larger for a variant that causes occasional delays itself.
 *
 * @param {Measurement} measurement
 * @param {UndisturbedSpeed | null} speed
 * @returns {number | null} on the log scale; null where batches are not selected, or none was
 *   undisturbed
 */
export function takeJitter(measurement, speed) {
  const batches = listUndisturbed(measurement, speed);
  if (batches === null || speed === null || batches.length === 0) return null;
  const { ownNs, gcNs } = sumUp(batches, speed);
  const meanNs = meanOf(batches.map((batch) => batch.ownNs + batch.waitNs));
  const jitter = Math.log((meanNs + gcNs) / (ownNs + gcNs));
  return Number.isFinite(jitter) ? jitter : null;
}

/**
 * @typedef {object} Batch
 * @property {number} ownNs per document, without garbage collection and waiting for a processor
 * @property {number} idleNs per document: the part of `ownNs` in which the event loop waited
 * @property {number} gcNs per document
 * @property {number} waitNs per document
 * @property {number} readingNs mean of the readings beside it
 * @property {number} slowestNs the slower one of them
 */

/**
 * Returns no batch where too few were undisturbed, and null without a reference loop.
 * @type {(measurement: Measurement, speed: UndisturbedSpeed | null) => Batch[] | null}
 */
function listUndisturbed(measurement, speed) {
  const all = listBatches(measurement);
  if (speed === null || all === null) return null;
  const batches = all.filter(({ slowestNs }) => slowestNs <= speed.limitNs);
  return batches.length < countNeeded(all.length) ? [] : batches;
}

/** Returns null without a reading before and after each batch. @type {(measurement: Measurement) => Batch[] | null} */
function listBatches({
  batchNsPerDocument,
  referenceLoopNs,
  batchGcMs,
  batchWaitMs,
  batchIdleMs,
  documentsPerBatch,
}) {
  if (referenceLoopNs?.length !== batchNsPerDocument.length + 1) return null;
  const slowest = listSlowest(referenceLoopNs);
  return batchNsPerDocument.map((wholeNs, index) => {
    const gcNs = ((batchGcMs?.[index] ?? 0) * 1e6) / documentsPerBatch;
    const waitNs = ((batchWaitMs?.[index] ?? 0) * 1e6) / documentsPerBatch;
    const readingNs = (referenceLoopNs[index] + referenceLoopNs[index + 1]) / 2;
    const ownNs = Math.max(0, wholeNs - gcNs - waitNs);
    const idleNs = Math.min(ownNs, ((batchIdleMs?.[index] ?? 0) * 1e6) / documentsPerBatch);
    return { ownNs, idleNs, gcNs, waitNs, readingNs, slowestNs: slowest[index] };
  });
}

/** @param {Batch[]} batches at least one @param {UndisturbedSpeed} speed */
function sumUp(batches, speed) {
  return { ownNs: combine(batches, speed), gcNs: meanOf(batches.map(({ gcNs }) => gcNs)) };
}

/** @param {{ ownNs: number }[]} batches at least one @param {UndisturbedSpeed} speed */
function combine(batches, { usesMean }) {
  const own = batches.map(({ ownNs }) => ownNs);
  return usesMean ? meanOf(own) : interpolateQuantile(own, BATCH_QUANTILE);
}

/** Returns nanoseconds per document; NaN without a batch. @type {(batches: Batch[], speed: UndisturbedSpeed | null) => number} */
function figureOf(batches, speed) {
  if (batches.length === 0 || speed === null) return NaN;
  const { ownNs, gcNs } = sumUp(batches, speed);
  if (!speed.isShared) return ownNs + gcNs;
  // A wait is as long on a slower processor.
  const waitedNs = ownNs * shareIdle(batches);
  const workedNs = ownNs - waitedNs + gcNs;
  const readingNs = takeMedian(batches.map((batch) => batch.readingNs));
  return (workedNs * speed.readingNs) / readingNs + waitedNs;
}

/** @type {(batches: Batch[]) => number} share of their own time, 0…1 */
function shareIdle(batches) {
  const idle = sumOf(batches.map(({ idleNs }) => idleNs));
  return idle === 0 ? 0 : idle / sumOf(batches.map(({ ownNs }) => ownNs));
}

/**
 * The figures of the finished jobs of one cell, except those that were disturbed throughout.
 *
 * @template {Observation | PlacementObservation} T
 * @param {T[]} observations of one cell, of all arms
 * @param {SpeedQuestion} question
 * @returns {{ observation: Extract<T, { outcome: 'done' }>, ns: number }[]} in the order given
 */
export function listFigures(observations, question) {
  const speedOf = undisturbedSpeeds(observations, question);
  return observations.flatMap((each) => {
    const observation = /** @type {Extract<T, { outcome: 'done' }>} */ (each);
    if (each.outcome !== 'done' || observation.measurement.batchNsPerDocument.length === 0)
      return [];
    const ns = takeFigure(observation.measurement, speedOf(observation));
    return ns === null ? [] : [{ observation, ns }];
  });
}

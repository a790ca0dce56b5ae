import { takeMedian } from './median.js';

/** @import { LayoutObservation, Measurement, Observation, Question } from '../types.ts' */

/** Of all readings of the yardstick, the share below the one that counts as an undisturbed pace. */
const CALM_SHARE = 0.2;
/** A batch is calm when the yardstick before it and the one after are within this factor of that
 * pace. Frequency moves by a few per cent; a neighbour on the same core costs forty and more. */
const CALM_FACTOR = 1.08;
/** With fewer calm batches the least disturbed ones serve. */
const MIN_CALM_BATCHES = 6;
/** Of the calm batches, the share below the one that is taken: most of what disturbs only slows. */
const BATCH_SHARE = 0.25;

/**
 * The pace of the yardstick where nothing disturbed the processor, in one cell. Jobs beyond the first
 * look do not count: the figure of a process must not change with what is measured later.
 *
 * @param {Iterable<Pick<Observation, 'block' | 'outcome'> & { measurement?: Measurement }>} observations
 *   of one cell, of all arms
 * @param {Question['looks']} looks
 * @returns {number | null} nanoseconds; null where workers have no yardstick
 */
export function findCalmPace(observations, looks) {
  /** @type {number[]} */
  const readings = [];
  for (const { block, outcome, measurement } of observations) {
    if (outcome !== 'done' || block * 2 >= (looks[0] ?? Infinity)) continue;
    readings.push(...(measurement?.yardstickNs ?? []));
  }
  return readings.length === 0 ? null : takeQuantile(readings, CALM_SHARE);
}

/**
 * How much of a cell was measured while the processor was slower than its own calm pace, by a
 * neighbour on the same core or by its frequency.
 *
 * @param {(Pick<Observation, 'block' | 'outcome'> & { measurement?: Measurement })[]} observations
 *   of one cell, of all arms
 * @param {Question['looks']} looks
 * @returns {number | null} share of all batches, 0…1; null where workers have no yardstick
 */
export function shareDisturbed(observations, looks) {
  const calmNs = findCalmPace(observations, looks);
  const slowest = observations.flatMap(({ measurement }) => {
    const readings = measurement?.yardstickNs ?? [];
    return readings.slice(1).map((after, index) => Math.max(readings[index], after));
  });
  return calmNs === null || slowest.length === 0 ? null : shareAbove(slowest, calmNs);
}

/**
 * The same of readings of the yardstick alone, taken one after the other. One that is slow is told by
 * those that are not: a processor that is disturbed all the time does not show.
 *
 * @param {number[]} readings nanoseconds, at least one
 * @returns {number} share of them, 0…1
 */
export function shareDisturbedReadings(readings) {
  return shareAbove(readings, takeQuantile(readings, CALM_SHARE));
}

/**
 * @param {number[]} readings nanoseconds, at least one
 * @param {number} calmNs
 */
function shareAbove(readings, calmNs) {
  return readings.filter((ns) => ns > calmNs * CALM_FACTOR).length / readings.length;
}

/**
 * The one figure that a process contributes. With a yardstick: of the batches during which the
 * processor was calm, the lower quartile of their time without collections, plus the mean time of
 * collections, both at the pace that the yardstick has when undisturbed. Without: the median of the
 * batches. Decision 0017 has the evidence.
 *
 * @param {Measurement} measurement
 * @param {number | null} calmNs of `findCalmPace`
 * @returns {number} nanoseconds per document
 */
export function takeFigure(measurement, calmNs) {
  const { batchNsPerDocument, yardstickNs, batchGcMs, documentsPerBatch } = measurement;
  const isComplete = yardstickNs?.length === batchNsPerDocument.length + 1;
  if (calmNs === null || !isComplete) return takeMedian(batchNsPerDocument);
  const batches = batchNsPerDocument.map((wholeNs, index) => {
    const [before, after] = [yardstickNs[index], yardstickNs[index + 1]];
    const gcNs = ((batchGcMs?.[index] ?? 0) * 1e6) / documentsPerBatch;
    return {
      ownNs: wholeNs - gcNs,
      gcNs,
      paceNs: (before + after) / 2,
      slowestNs: Math.max(before, after),
    };
  });
  const calm = chooseCalm(batches, calmNs);
  const ownNs = takeQuantile(
    calm.map((batch) => batch.ownNs),
    BATCH_SHARE,
  );
  const gcNs = calm.reduce((sum, batch) => sum + batch.gcNs, 0) / calm.length;
  const paceNs = takeMedian(calm.map((batch) => batch.paceNs));
  return ((ownNs + gcNs) * calmNs) / paceNs;
}

/**
 * The figures of the jobs of one cell that measured.
 *
 * @template {Observation | LayoutObservation} T
 * @param {T[]} observations of one cell, of all arms
 * @param {Question['looks']} looks
 * @returns {{ observation: Extract<T, { outcome: 'done' }>, ns: number }[]} in the order given
 */
export function listFigures(observations, looks) {
  const calmNs = findCalmPace(observations, looks);
  return observations.flatMap((each) => {
    const observation = /** @type {Extract<T, { outcome: 'done' }>} */ (each);
    const isMeasured =
      each.outcome === 'done' && observation.measurement.batchNsPerDocument.length > 0;
    return isMeasured ? [{ observation, ns: takeFigure(observation.measurement, calmNs) }] : [];
  });
}

/**
 * @template {{ slowestNs: number }} T
 * @param {T[]} batches
 * @param {number} calmNs
 * @returns {T[]}
 */
function chooseCalm(batches, calmNs) {
  const calm = batches.filter(({ slowestNs }) => slowestNs <= calmNs * CALM_FACTOR);
  if (calm.length >= MIN_CALM_BATCHES) return calm;
  return [...batches].sort((a, b) => a.slowestNs - b.slowestNs).slice(0, MIN_CALM_BATCHES);
}

/**
 * @param {number[]} values at least one
 * @param {number} share 0…1
 * @returns {number} the smallest value with at least that share of the values at or below it
 */
function takeQuantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

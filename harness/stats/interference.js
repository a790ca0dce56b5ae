import { withoutPin } from '../lib/words.js';
import { meanOf } from './means.js';
import { takeMedian, takeQuantile } from './robust.js';

/** @import { Arm, LayoutObservation, Measurement, Observation, Question } from '../formats/types.ts' */

/** Of all readings of the yardstick, the share below the one that counts as an undisturbed pace. */
const CALM_SHARE = 0.2;
/** A batch is calm when the yardstick before it and the one after are within this factor of that
 * pace. Frequency moves by a few per cent; a neighbour on the same core costs forty and more. */
const CALM_FACTOR = 1.08;
/** A process of which a smaller share of the batches was calm was disturbed, and has no figure. */
const MIN_CALM_SHARE = 0.25;

/**
 * How fast the processor is where nothing disturbs it, by readings of the yardstick.
 *
 * @typedef {object} CalmPace
 * @property {number} paceNs
 * @property {number} limitNs beside a slower reading a batch is not calm
 */

/**
 * The undisturbed pace in one cell. Jobs beyond the first look do not count: the figure of a process
 * must not change with what is measured later. Where most processes were disturbed, being calm is
 * what half of them were.
 *
 * @param {Iterable<Pick<Observation, 'block' | 'outcome'> & { measurement?: Measurement }>} observations
 *   of one cell, of all arms
 * @param {Question['looks']} looks
 * @returns {CalmPace | null} null where workers have no yardstick
 */
export function findCalmPace(observations, looks) {
  /** @type {number[]} */
  const readings = [];
  /** @type {number[]} */
  const needed = [];
  for (const { block, outcome, measurement } of observations) {
    if (outcome !== 'done' || block * 2 >= (looks[0] ?? Infinity)) continue;
    const own = measurement?.yardstickNs ?? [];
    readings.push(...own);
    const slowest = listSlowest(own);
    if (slowest.length > 0) needed.push(takeQuantile(slowest, MIN_CALM_SHARE));
  }
  if (needed.length === 0) return null;
  const paceNs = takeQuantile(readings, CALM_SHARE);
  return { paceNs, limitNs: Math.max(paceNs * CALM_FACTOR, takeQuantile(needed, 0.5)) };
}

/**
 * What the paces of the arms of a cell are found by.
 *
 * @typedef {Pick<Question, 'looks' | 'baseline' | 'candidate'>} PaceQuestion
 */

/**
 * The undisturbed pace of each arm: one for all, but where the sides run under different Nodes, whose
 * compilers make different code of the yardstick too.
 *
 * @param {(Pick<Observation, 'arm' | 'block' | 'outcome'> & { measurement?: Measurement })[]} observations
 *   of one cell
 * @param {PaceQuestion} question
 * @returns {Record<Arm, CalmPace | null>}
 */
export function findPaces(observations, { looks, baseline, candidate }) {
  if (pinOf(baseline) === pinOf(candidate)) {
    const pace = findCalmPace(observations, looks);
    return { baseline: pace, candidate: pace, control: pace };
  }
  const [own, others] = [true, false].map((isCandidate) =>
    findCalmPace(
      observations.filter(({ arm }) => (arm === 'candidate') === isCandidate),
      looks,
    ),
  );
  return { baseline: others, candidate: own, control: others };
}

/** @param {string} spec */
function pinOf(spec) {
  return spec.slice(withoutPin(spec).length);
}

/**
 * @param {number[]} readings before each batch and after the last one
 * @returns {number[]} of each batch, the slower of the two beside it
 */
function listSlowest(readings) {
  return readings.slice(1).map((after, index) => Math.max(readings[index], after));
}

/**
 * How much of a cell was measured while the processor was slower than its own calm pace, by a
 * neighbour on the same core or by its frequency.
 *
 * @param {(Pick<Observation, 'arm' | 'block' | 'outcome'> & { measurement?: Measurement })[]} observations
 *   of one cell
 * @param {PaceQuestion} question
 * @returns {number | null} share of all batches, 0…1; null where workers have no yardstick
 */
export function shareDisturbed(observations, question) {
  const paces = findPaces(observations, question);
  const relative = observations.flatMap(({ arm, measurement }) => {
    const pace = paces[arm];
    if (pace === null) return [];
    return listSlowest(measurement?.yardstickNs ?? []).map((ns) => ns / pace.paceNs);
  });
  return relative.length === 0 ? null : shareAbove(relative, 1);
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
 * @param {number} paceNs
 */
function shareAbove(readings, paceNs) {
  return readings.filter((ns) => ns > paceNs * CALM_FACTOR).length / readings.length;
}

/** Of the calm batches, the share below the one that is taken: most of what disturbs only slows. */
const BATCH_SHARE = 0.1;

/**
 * The one figure that a process contributes. With a yardstick: of the batches during which the
 * processor was calm, nearly the fastest time without collections, plus the mean time of collections,
 * both at the undisturbed pace. Without: the median of the batches. Decision 0017 has the evidence.
 *
 * @param {Measurement} measurement
 * @param {CalmPace | null} pace of `findCalmPace`
 * @returns {number | null} nanoseconds per document, above 0; null where the processor was not calm for
 *   long enough
 */
export function takeFigure(measurement, pace) {
  const calm = listCalm(measurement, pace);
  const figure = calm === null ? takeMedian(measurement.batchNsPerDocument) : joinCalm(calm, pace);
  return figure > 0 && figure < Infinity ? figure : null;
}

/**
 * How far the mean of the calm batches lies above the fast ones that the figure goes by. A variant that
 * is slow now and then by its own doing is so more than one that never is.
 *
 * @param {Measurement} measurement
 * @param {CalmPace | null} pace of `findCalmPace`
 * @returns {number | null} on the log scale; null where batches are not chosen, or none was calm
 */
export function takeJitter(measurement, pace) {
  const calm = listCalm(measurement, pace);
  if (calm === null || calm.length === 0) return null;
  const { ownNs, gcNs } = sumUp(calm);
  const meanNs = meanOf(calm.map((batch) => batch.ownNs));
  const jitter = Math.log((meanNs + gcNs) / (ownNs + gcNs));
  return Number.isFinite(jitter) ? jitter : null;
}

/**
 * A batch during which nothing disturbed the processor.
 *
 * @typedef {object} CalmBatch
 * @property {number} ownNs per document, without collections
 * @property {number} gcNs per document
 * @property {number} paceNs of the yardstick beside it
 */

/**
 * @param {Measurement} measurement
 * @param {CalmPace | null} pace
 * @returns {CalmBatch[] | null} none where too few were calm; null where there is no yardstick
 */
function listCalm({ batchNsPerDocument, yardstickNs, batchGcMs, documentsPerBatch }, pace) {
  const isComplete = yardstickNs?.length === batchNsPerDocument.length + 1;
  if (pace === null || !isComplete) return null;
  const slowest = listSlowest(yardstickNs);
  const calm = batchNsPerDocument.flatMap((wholeNs, index) => {
    if (slowest[index] > pace.limitNs) return [];
    const gcNs = ((batchGcMs?.[index] ?? 0) * 1e6) / documentsPerBatch;
    const paceNs = (yardstickNs[index] + yardstickNs[index + 1]) / 2;
    return { ownNs: Math.max(0, wholeNs - gcNs), gcNs, paceNs };
  });
  return calm.length < MIN_CALM_SHARE * batchNsPerDocument.length ? [] : calm;
}

/** @param {CalmBatch[]} calm at least one */
function sumUp(calm) {
  const ownNs = takeQuantile(
    calm.map((batch) => batch.ownNs),
    BATCH_SHARE,
  );
  return { ownNs, gcNs: meanOf(calm.map((batch) => batch.gcNs)) };
}

/**
 * @param {CalmBatch[]} calm
 * @param {CalmPace | null} pace
 * @returns {number} nanoseconds per document; NaN without a batch
 */
function joinCalm(calm, pace) {
  if (calm.length === 0 || pace === null) return NaN;
  const { ownNs, gcNs } = sumUp(calm);
  return ((ownNs + gcNs) * pace.paceNs) / takeMedian(calm.map((batch) => batch.paceNs));
}

/**
 * The figures of the jobs of one cell that measured, but for those that were disturbed throughout.
 *
 * @template {Observation | LayoutObservation} T
 * @param {T[]} observations of one cell, of all arms
 * @param {PaceQuestion} question
 * @returns {{ observation: Extract<T, { outcome: 'done' }>, ns: number }[]} in the order given
 */
export function listFigures(observations, question) {
  const paces = findPaces(observations, question);
  return observations.flatMap((each) => {
    const observation = /** @type {Extract<T, { outcome: 'done' }>} */ (each);
    if (each.outcome !== 'done' || observation.measurement.batchNsPerDocument.length === 0)
      return [];
    const ns = takeFigure(observation.measurement, paces[observation.arm]);
    return ns === null ? [] : [{ observation, ns }];
  });
}

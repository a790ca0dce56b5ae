import { findPaces, listSlowest, MIN_CALM_SHARE } from './calm-pace.js';
import { takeMedian } from './median.js';
import { takeQuantile } from './quantile.js';

/** @import { LayoutObservation, Measurement, Observation } from '../formats/types.ts' */
/** @import { CalmPace, PaceQuestion } from './calm-pace.js' */

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
export function takeUnevenness(measurement, pace) {
  const calm = listCalm(measurement, pace);
  if (calm === null || calm.length === 0) return null;
  const { ownNs, gcNs } = sumUp(calm);
  const meanNs = takeMean(calm.map((batch) => batch.ownNs));
  const unevenness = Math.log((meanNs + gcNs) / (ownNs + gcNs));
  return Number.isFinite(unevenness) ? unevenness : null;
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
  return { ownNs, gcNs: takeMean(calm.map((batch) => batch.gcNs)) };
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

/** @param {number[]} values */
function takeMean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
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

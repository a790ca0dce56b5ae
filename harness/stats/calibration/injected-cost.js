import { studentCritical } from '../distributions.js';
import { meanOf, varianceOf } from '../means.js';
import { takeMedian } from '../robust.js';
import { seedGenerator, shuffle } from '../random.js';
import { describeSample } from './noise.js';

/** @import { InjectedCost, Measurement, RatioInterval } from '../../formats/types.ts' */

/** A batch counts when the readings beside it are within this factor of the fastest. */
const MAX_SLOWDOWN = 1.08;
/** With fewer turns that count, all do. */
const MIN_TURNS = 4;
const MISSED = 0.05;

/**
 * @typedef {Pick<Measurement, 'batchNsPerDocument' | 'batchGcMs' | 'referenceLoopNs'>
 *   & Partial<Pick<Measurement, 'documentsPerBatch'>>} Alternated of the alternating worker
 *
 * @typedef {object} CostOfRounds in nanoseconds per document, for each number of rounds but the first
 * @property {number[]} line by the straight line through all numbers of rounds
 * @property {number[]} alone the difference to the first number of rounds
 */

/**
 * The order in which numbers of rounds alternate. Each turn has a new random order: in a fixed one, a
 * garbage collection every few batches would always hit the same number.
 *
 * @param {{ seed: number, turns: number, count: number }} wanted count: of numbers of rounds
 * @returns {number[]} for each batch, the index of its number of rounds
 */
export function orderTurns({ seed, turns, count }) {
  const random = seedGenerator(seed);
  const all = Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: turns }, () => shuffle(all, random)).flat();
}

/**
 * The cost of rounds in one process that alternated them. Each round does the same, so the time of a
 * batch is a line over rounds, whose slope is known far better than any single difference. It is the
 * least-squares slope of the differences of all pairs, each the median over turns: disturbances only
 * slow batches down, which would bias a median of fits.
 *
 * Medians would drop garbage collection, which hits few batches. So it is kept apart and, for a cost in
 * allocation, added as a mean, as in `takeFigure`. All numbers of rounds share one heap, and a collection
 * interrupts the batch that fills the young generation, whoever filled the rest. But batches are short
 * and in random order, so each number of rounds is interrupted in proportion to what it allocates, and every
 * collection finds the same mixture: on average each pays for its own garbage.
 *
 * @param {Alternated} process
 * @param {number[]} order from `orderTurns`
 * @param {number[]} rounds that alternated
 * @param {InjectedCost['cost']} [cost] kind of their work
 * @returns {CostOfRounds}
 */
export function takeCosts(process, order, rounds, cost) {
  const {
    batchNsPerDocument,
    batchGcMs = [],
    documentsPerBatch = 1,
    referenceLoopNs = [],
  } = process;
  const limitNs = Math.min(...referenceLoopNs) * MAX_SLOWDOWN;
  const turns = Array.from({ length: order.length / rounds.length }, (_, turn) =>
    rounds.map((x, index) => {
      const batch = order.indexOf(index, turn * rounds.length);
      const isUndisturbed =
        referenceLoopNs[batch] <= limitNs && referenceLoopNs[batch + 1] <= limitNs;
      const gcNs = ((batchGcMs[batch] ?? 0) * 1e6) / documentsPerBatch;
      return {
        x,
        ownNs: batchNsPerDocument[batch] - gcNs,
        gcNs: cost === 'allocation' ? gcNs : 0,
        isUndisturbed,
      };
    }),
  );
  const slopeNs = takeSlope(turns);
  return {
    line: rounds.slice(1).map((x) => slopeNs * (x - rounds[0])),
    alone: rounds.slice(1).map((_, index) => takeDifference(turns, index + 1, 0)),
  };
}

/**
 * A batch: its number of rounds, its time per document without garbage collection, and that of collection if
 * it belongs to the cost.
 *
 * @typedef {{ x: number, ownNs: number, gcNs: number, isUndisturbed: boolean }} Batch
 */

/**
 * @param {Batch[][]} turns
 * @returns {number} nanoseconds per document and round
 */
function takeSlope(turns) {
  let [products, squares] = [0, 0];
  for (const [more, { x: most }] of turns[0].entries()) {
    for (const [less, { x: least }] of turns[0].slice(0, more).entries()) {
      products += (most - least) * takeDifference(turns, more, less);
      squares += (most - least) ** 2;
    }
  }
  return products / squares;
}

/**
 * @param {Batch[][]} turns
 * @param {number} more index of a number of rounds
 * @param {number} less index of another
 * @returns {number} nanoseconds per document that the first takes longer
 */
function takeDifference(turns, more, less) {
  const undisturbed = turns.filter(
    (batches) => batches[less].isUndisturbed && batches[more].isUndisturbed,
  );
  const counting = undisturbed.length >= MIN_TURNS ? undisturbed : turns;
  return (
    takeMedian(counting.map((batches) => batches[more].ownNs - batches[less].ownNs)) +
    meanOf(counting.map((batches) => batches[more].gcNs - batches[less].gcNs))
  );
}

/**
 * The time of a document without injected cost.
 *
 * @typedef {object} PlainTime
 * @property {number} ns
 * @property {number} squaredError of its logarithm
 */

/**
 * @param {number[]} figuresNs of ordinary processes
 * @returns {PlainTime} of a single process, without an error
 */
export function describePlain(figuresNs) {
  const described = describeSample(figuresNs.map(Math.log));
  if (described === null) return { ns: takeMedian(figuresNs), squaredError: 0 };
  return { ns: Math.exp(described.mean), squaredError: described.squaredError };
}

/**
 * The cost as a ratio: time with it over time without.
 *
 * @param {number[]} costsNs one per process
 * @param {PlainTime} baseline
 * @returns {RatioInterval} Student's interval of 95 %, by the errors of both (delta method)
 */
export function describeCost(costsNs, { ns: baselineNs, squaredError }) {
  const mean = meanOf(costsNs);
  const squaredCostError = varianceOf(costsNs) / costsNs.length;
  const error = Math.sqrt(squaredCostError + mean ** 2 * squaredError);
  const half = costsNs.length < 2 ? 0 : studentCritical(MISSED, costsNs.length - 1) * error;
  return {
    estimate: 1 + mean / baselineNs,
    low: 1 + (mean - half) / baselineNs,
    high: 1 + (mean + half) / baselineNs,
  };
}

import { studentCritical } from '../distributions.js';
import { meanOf, varianceOf } from '../means.js';
import { takeMedian } from '../robust.js';
import { seedGenerator, shuffle } from '../random.js';
import { describeSample } from './noise.js';

/** @import { Measurement, RatioInterval } from '../../formats/types.ts' */

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
 * slow batches down, which would bias a median of fits. Time of garbage collection is left out.
 *
 * @param {Alternated} process
 * @param {number[]} order from `orderTurns`
 * @param {number[]} rounds that alternated
 * @returns {CostOfRounds}
 */
export function takeCosts(process, order, rounds) {
  const { batchNsPerDocument, batchGcMs = [], documentsPerBatch = 1 } = process;
  const { referenceLoopNs = [] } = process;
  const limitNs = Math.min(...referenceLoopNs) * MAX_SLOWDOWN;
  const turns = Array.from({ length: order.length / rounds.length }, (_, turn) =>
    rounds.map((x, index) => {
      const batch = order.indexOf(index, turn * rounds.length);
      const isUndisturbed =
        referenceLoopNs[batch] <= limitNs && referenceLoopNs[batch + 1] <= limitNs;
      const gcNs = ((batchGcMs[batch] ?? 0) * 1e6) / documentsPerBatch;
      return { x, ns: batchNsPerDocument[batch] - gcNs, isUndisturbed };
    }),
  );
  const slopeNs = takeSlope(turns);
  return {
    line: rounds.slice(1).map((x) => slopeNs * (x - rounds[0])),
    alone: rounds.slice(1).map((_, index) => takeDifference(turns, index + 1, 0)),
  };
}

/**
 * The garbage collection of a process.
 *
 * @param {Alternated} process of any worker
 * @returns {number} mean over its undisturbed batches, in nanoseconds per document
 */
export function takeCollection({ batchGcMs = [], documentsPerBatch = 1, referenceLoopNs = [] }) {
  const limitNs = Math.min(...referenceLoopNs) * MAX_SLOWDOWN;
  const undisturbed = batchGcMs.filter(
    (_, batch) => referenceLoopNs[batch] <= limitNs && referenceLoopNs[batch + 1] <= limitNs,
  );
  const counting = undisturbed.length >= MIN_TURNS ? undisturbed : batchGcMs;
  return counting.length === 0 ? 0 : (meanOf(counting) * 1e6) / documentsPerBatch;
}

/**
 * Adds the garbage collection that rounds cause: that of a process with most rounds, beyond that of one with
 * fewest, and in proportion to the rounds in between. It comes from ordinary processes, each with one number of
 * rounds. Processes that alternate cannot tell: a collection interrupts the batch that fills the young
 * generation, but its duration depends on what all of them keep alive, and the heavier arm was charged half as
 * much again as it pays alone.
 *
 * @param {CostOfRounds} costs without garbage collection
 * @param {number[]} rounds that alternated, ascending
 * @param {{ fewestNs: number, mostNs: number }} collection of the first and of the last number of rounds
 * @returns {CostOfRounds}
 */
export function addCollection({ line, alone }, rounds, { fewestNs, mostNs }) {
  const [fewest] = rounds;
  const roundNs = (mostNs - fewestNs) / (rounds[rounds.length - 1] - fewest);
  /** @param {number[]} costs */
  const add = (costs) => costs.map((ns, index) => ns + roundNs * (rounds[index + 1] - fewest));
  return { line: add(line), alone: add(alone) };
}

/** @typedef {{ x: number, ns: number, isUndisturbed: boolean }} Batch x: its number of rounds */

/** @type {(turns: Batch[][]) => number} nanoseconds per document and round */
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
  return takeMedian(
    (undisturbed.length >= MIN_TURNS ? undisturbed : turns).map(
      (batches) => batches[more].ns - batches[less].ns,
    ),
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

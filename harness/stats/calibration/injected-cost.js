import { studentCritical } from '../distributions.js';
import { meanOf, varianceOf } from '../means.js';
import { takeMedian } from '../robust.js';
import { seedGenerator, shuffle } from '../random.js';
import { describeSample } from './noise.js';

/** @import { Measurement, RatioInterval } from '../../formats/types.ts' */

/** A batch counts when the yardstick on both its sides is within this factor of the calmest. */
const CALM_FACTOR = 1.08;
/** Turns that have to count; with fewer, all do. */
const LEAST_TURNS = 4;
const MISSED = 0.05;

/**
 * @typedef {Pick<Measurement, 'batchNsPerDocument' | 'yardstickNs'>} Alternated of the alternating
 *   worker
 *
 * @typedef {object} CostOfRounds in nanoseconds per document, by number of rounds but the first
 * @property {number[]} line by the straight line through all numbers of rounds
 * @property {number[]} alone the difference to the first number of rounds
 */

/**
 * In which order numbers of rounds take turns. It is drawn anew for each turn: in a fixed one, a
 * garbage collection that comes every few batches would fall on the same number again and again.
 *
 * @param {{ seed: number, turns: number, sides: number }} wanted
 * @returns {number[]} of each batch: index of its number of rounds
 */
export function orderTurns({ seed, turns, sides }) {
  const random = seedGenerator(seed);
  const all = Array.from({ length: sides }, (_, side) => side);
  return Array.from({ length: turns }, () => shuffle(all, random)).flat();
}

/**
 * What rounds cost in one process that ran them in turns. Each round does the same, so that the time
 * of a batch is a line over rounds; its slope is known far better than any single difference. It is
 * the least-squares slope of the differences of all pairs, each the median over turns: what disturbs
 * a batch only slows it, which a median of fits would not forgive, since most batches lie below the
 * mean of rounds.
 *
 * @param {Alternated} process
 * @param {number[]} order from `orderTurns`
 * @param {number[]} rounds that took turns
 * @returns {CostOfRounds}
 */
export function takeCosts({ batchNsPerDocument, yardstickNs = [] }, order, rounds) {
  const calmNs = Math.min(...yardstickNs) * CALM_FACTOR;
  const turns = Array.from({ length: order.length / rounds.length }, (_, turn) =>
    rounds.map((x, side) => {
      const batch = order.indexOf(side, turn * rounds.length);
      const isCalm = yardstickNs[batch] <= calmNs && yardstickNs[batch + 1] <= calmNs;
      return { x, ns: batchNsPerDocument[batch], isCalm };
    }),
  );
  const slopeNs = takeSlope(turns);
  return {
    line: rounds.slice(1).map((x) => slopeNs * (x - rounds[0])),
    alone: rounds.slice(1).map((_, index) => takeDifference(turns, index + 1, 0)),
  };
}

/** @typedef {{ x: number, ns: number, isCalm: boolean }} Batch x: its number of rounds */

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
 * @param {number} side
 * @param {number} other
 * @returns {number} nanoseconds per document that it takes longer than the other
 */
function takeDifference(turns, side, other) {
  const calm = turns.filter((batches) => batches[other].isCalm && batches[side].isCalm);
  return takeMedian(
    (calm.length >= LEAST_TURNS ? calm : turns).map(
      (batches) => batches[side].ns - batches[other].ns,
    ),
  );
}

/**
 * What a document takes without any cost.
 *
 * @typedef {object} PlainTime
 * @property {number} ns
 * @property {number} squaredError of its logarithm
 */

/**
 * @param {number[]} figuresNs of ordinary processes
 * @returns {PlainTime} from one process alone without an error
 */
export function describePlain(figuresNs) {
  const described = describeSample(figuresNs.map(Math.log));
  if (described === null) return { ns: takeMedian(figuresNs), squaredError: 0 };
  return { ns: Math.exp(described.mean), squaredError: described.squaredError };
}

/**
 * The cost as a ratio, with over without, from what processes said.
 *
 * @param {number[]} costsNs one a process
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

import { shuffle } from '../plan.js';
import { studentCritical } from '../stats/distributions.js';
import { takeMedian } from '../stats/median.js';
import { seedGenerator } from '../stats/random.js';
import { describeSample } from './describe-sample.js';

/** @import { Measurement, RatioInterval } from '../types.ts' */

/** A batch counts when the yardstick on both its sides is within this factor of the calmest. */
const CALM_FACTOR = 1.08;
/** Turns that have to count; with fewer, all do. */
const LEAST_TURNS = 4;
/** Of what a whole turn tells about the slope, what its calm batches have to tell for it to count. */
const LEAST_LEVERAGE = 0.5;
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
 * of a batch is a line over rounds; its slope is known far better than any single difference. The
 * slope is the median over turns of the least-squares slope within a turn.
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
    alone: rounds.slice(1).map((_, index) => takeDifference(turns, index + 1)),
  };
}

/** @typedef {{ x: number, ns: number, isCalm: boolean }} Batch x: its number of rounds */

/**
 * @param {Batch[][]} turns
 * @returns {number} nanoseconds per document and round
 */
function takeSlope(turns) {
  const wanted = LEAST_LEVERAGE * fitLine(turns[0]).leverage;
  const calm = turns
    .map((batches) => fitLine(batches.filter(({ isCalm }) => isCalm)))
    .filter(({ leverage }) => leverage >= wanted);
  const counted = calm.length >= LEAST_TURNS ? calm : turns.map(fitLine);
  return takeMedian(counted.map(({ slope }) => slope));
}

/**
 * @param {Batch[][]} turns
 * @param {number} side
 * @returns {number} nanoseconds per document that it takes longer than the first
 */
function takeDifference(turns, side) {
  const calm = turns.filter((batches) => batches[0].isCalm && batches[side].isCalm);
  return takeMedian(
    (calm.length >= LEAST_TURNS ? calm : turns).map((batches) => batches[side].ns - batches[0].ns),
  );
}

/**
 * @param {Batch[]} batches
 * @returns {{ slope: number, leverage: number }} leverage: sum of squared distances of x
 */
function fitLine(batches) {
  const mean = batches.reduce((sum, { x }) => sum + x, 0) / batches.length;
  const leverage = batches.reduce((sum, { x }) => sum + (x - mean) ** 2, 0);
  const slope = batches.reduce((sum, { x, ns }) => sum + (x - mean) * ns, 0) / leverage;
  return { slope, leverage };
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
  const mean = costsNs.reduce((sum, ns) => sum + ns, 0) / costsNs.length;
  const squares = costsNs.reduce((sum, ns) => sum + (ns - mean) ** 2, 0);
  const squaredCostError = squares / (costsNs.length - 1) / costsNs.length;
  const error = Math.sqrt(squaredCostError + mean ** 2 * squaredError);
  const half = costsNs.length < 2 ? 0 : studentCritical(MISSED, costsNs.length - 1) * error;
  return {
    estimate: 1 + mean / baselineNs,
    low: 1 + (mean - half) / baselineNs,
    high: 1 + (mean + half) / baselineNs,
  };
}

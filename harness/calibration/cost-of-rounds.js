import { studentCritical } from '../stats/distributions.js';
import { takeMedian } from '../stats/median.js';
import { describeSample } from './describe-sample.js';

/** @import { Measurement, RatioInterval } from '../types.ts' */

/** A batch counts when the yardstick on both its sides is within this factor of the calmest. */
const CALM_FACTOR = 1.08;
const MISSED = 0.05;

/** @typedef {Pick<Measurement, 'batchNsPerDocument' | 'yardstickNs'>} Alternated */

/**
 * What rounds cost, by processes that ran them in turns.
 *
 * @param {Alternated[]} processes of the alternating worker
 * @param {number} sides numbers of rounds that took turns, the first being the baseline's
 * @returns {number[][]} by process: nanoseconds per document that each side beyond the first costs
 *   more, as the median over turns
 */
export function takeCosts(processes, sides) {
  return processes.map(({ batchNsPerDocument, yardstickNs = [] }) => {
    const calmNs = Math.min(...yardstickNs) * CALM_FACTOR;
    const isCalm = (/** @type {number} */ batch) =>
      yardstickNs[batch] <= calmNs && yardstickNs[batch + 1] <= calmNs;
    const turns = Math.floor(batchNsPerDocument.length / sides);
    return Array.from({ length: sides - 1 }, (_, index) => {
      const differences = Array.from({ length: turns }, (_turn, turn) => {
        const [plain, costly] = [turn * sides, turn * sides + index + 1];
        const difference = batchNsPerDocument[costly] - batchNsPerDocument[plain];
        return { difference, isCalm: isCalm(plain) && isCalm(costly) };
      });
      const calm = differences.filter((each) => each.isCalm);
      return takeMedian(
        (calm.length >= 4 ? calm : differences).map(({ difference }) => difference),
      );
    });
  });
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

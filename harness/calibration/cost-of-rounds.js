import { studentCritical } from '../stats/distributions.js';
import { takeMedian } from '../stats/median.js';

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
 * The cost as a ratio, with over without, from what processes said.
 *
 * @param {number[]} costsNs one a process
 * @param {number} baselineNs of an ordinary process
 * @returns {RatioInterval} Student's interval of 95 %
 */
export function describeCost(costsNs, baselineNs) {
  const mean = costsNs.reduce((sum, ns) => sum + ns, 0) / costsNs.length;
  const squares = costsNs.reduce((sum, ns) => sum + (ns - mean) ** 2, 0);
  const error = Math.sqrt(squares / (costsNs.length - 1) / costsNs.length);
  const half = costsNs.length < 2 ? 0 : studentCritical(MISSED, costsNs.length - 1) * error;
  return {
    estimate: 1 + mean / baselineNs,
    low: 1 + (mean - half) / baselineNs,
    high: 1 + (mean + half) / baselineNs,
  };
}

import { chiSquareQuantile } from '../distributions.js';
import { describeSample, poolVariances } from './describe-sample.js';

/** @import { LayoutCalibration } from '../../formats/types.ts' */

/** Share of intervals that may miss the truth. */
const MISSED = 0.05;

/**
 * How far code placement moves a cell: the variance of the means of layouts, less the share that
 * their processes explain. Its interval is the chi-square one of the variance of normal means, with
 * the same share taken from both ends; it supposes that that share is known, which it is well
 * beside the other. With few layouts it is wide, and it says so.
 *
 * @param {string} cellId
 * @param {number[][]} logs by layout: logarithms of what its processes contributed
 * @returns {LayoutCalibration | null} null with fewer than two layouts of at least two processes;
 *   deviations on the log scale, which small ones share with shares
 */
export function takeLayoutSpread(cellId, logs) {
  const layouts = logs.flatMap((values) => describeSample(values) ?? []);
  if (layouts.length < 2) return null;
  const means = layouts.map(({ mean }) => mean);
  const error = layouts.reduce((sum, { squaredError }) => sum + squaredError, 0) / layouts.length;
  const freedom = layouts.length - 1;
  const squares = sumSquares(means);
  /** @param {number} variance of means */
  const deviationOf = (variance) => Math.sqrt(Math.max(0, variance - error));
  return {
    cellId,
    layouts: layouts.length,
    processes: Math.min(...layouts.map((layout) => layout.freedom + 1)),
    spread: {
      estimate: deviationOf(squares / freedom),
      low: deviationOf(squares / chiSquareQuantile(1 - MISSED / 2, freedom)),
      high: deviationOf(squares / chiSquareQuantile(MISSED / 2, freedom)),
    },
    range: Math.exp(Math.max(...means) - Math.min(...means)),
    processSpread: Math.sqrt(poolVariances(layouts)),
  };
}

/** @param {number[]} values */
function sumSquares(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

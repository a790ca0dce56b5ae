/** Means of ratios, taken on the log scale, with intervals of 95 % by Student's t. */

import { studentCritical } from '../distributions.js';

/** @import { Interval } from '../../formats/types.ts' */

const LEVEL = 0.05;

/**
 * @param {number[]} logs logarithms of ratios
 * @returns {Interval | null} geometric mean minus one, as shares; null with fewer than two
 */
export function intervalOfMean(logs) {
  if (logs.length < 2) return null;
  const error = varianceOf(logs) / logs.length;
  return toShares(meanOf(logs), Math.sqrt(error), logs.length - 1);
}

/**
 * The mean of the first held against that of the second, their variances not taken for equal
 * (Welch, Biometrika 34, 1947).
 *
 * @param {number[]} first logarithms of ratios
 * @param {number[]} second logarithms of ratios
 * @returns {Interval | null} ratio of the geometric means minus one, as shares; null with fewer than
 *   two on a side
 */
export function intervalOfDifference(first, second) {
  if (first.length < 2 || second.length < 2) return null;
  const errors = [first, second].map((logs) => varianceOf(logs) / logs.length);
  const [one = 0, two = 0] = errors;
  const freedom =
    (one + two) ** 2 / (one ** 2 / (first.length - 1) + two ** 2 / (second.length - 1));
  const difference = meanOf(first) - meanOf(second);
  // Without any scatter there are no degrees of freedom, and no width to multiply either.
  return toShares(difference, Math.sqrt(one + two), Number.isNaN(freedom) ? 1 : freedom);
}

/**
 * @param {number[]} logs
 * @returns {number | null} standard deviation; null with fewer than two
 */
export function deviationOf(logs) {
  return logs.length < 2 ? null : Math.sqrt(varianceOf(logs));
}

/**
 * @param {number} mean
 * @param {number} standardError
 * @param {number} freedom
 * @returns {Interval}
 */
function toShares(mean, standardError, freedom) {
  const half = studentCritical(LEVEL, freedom) * standardError;
  return {
    estimate: Math.expm1(mean),
    low: Math.expm1(mean - half),
    high: Math.expm1(mean + half),
  };
}

/** @param {number[]} values */
function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param {number[]} values */
function varianceOf(values) {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

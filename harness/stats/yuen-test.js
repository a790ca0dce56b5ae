import { studentCritical, studentTwoSided } from './distributions.js';
import { countTrimmed, meanOfTrimmed, winsorizedVariance } from './trimmed-mean.js';

/**
 * What two samples say about the difference of their 20 %-trimmed means.
 *
 * @typedef {object} MeanDifference
 * @property {number} difference first minus second, in the unit of the values
 * @property {number} standardError
 * @property {number} degreesOfFreedom
 * @property {number} t
 * @property {number} p two-sided
 */

/**
 * Yuen's test without the assumption of equal variances; agrees with
 * `scipy.stats.ttest_ind(first, second, trim=.2, equal_var=False)`.
 *
 * @param {ArrayLike<number>} first in any order
 * @param {ArrayLike<number>} second in any order
 * @returns {MeanDifference | null} null when a side has fewer than two values
 */
export function compareTrimmedMeans(first, second) {
  if (first.length < 2 || second.length < 2) return null;
  const one = describeSide(first);
  const two = describeSide(second);
  const difference = one.mean - two.mean;
  const variance = one.share + two.share;
  // Samples without any spread leave nothing to estimate an error from.
  if (variance === 0) return withoutSpread(difference, one.freedom + two.freedom);
  const standardError = Math.sqrt(variance);
  const degreesOfFreedom =
    variance ** 2 / (one.share ** 2 / one.freedom + two.share ** 2 / two.freedom);
  const t = difference / standardError;
  const p = studentTwoSided(t, degreesOfFreedom);
  return { difference, standardError, degreesOfFreedom, t, p };
}

/**
 * Half the width of the confidence interval around the difference.
 *
 * @param {MeanDifference} test
 * @param {number} level share of intervals that may miss, two-sided: 0.05 for 95 %
 * @returns {number}
 */
export function halfWidth({ standardError, degreesOfFreedom }, level) {
  return studentCritical(level, degreesOfFreedom) * standardError;
}

/**
 * One side's mean, degrees of freedom, and its share of the squared standard error.
 *
 * @param {ArrayLike<number>} values
 */
function describeSide(values) {
  const sorted = Float64Array.from(values).sort();
  const kept = sorted.length - 2 * countTrimmed(sorted.length);
  const freedom = kept - 1;
  const share = ((sorted.length - 1) * winsorizedVariance(sorted)) / (kept * freedom);
  return { mean: meanOfTrimmed(sorted), freedom, share };
}

/**
 * @param {number} difference
 * @param {number} degreesOfFreedom
 * @returns {MeanDifference}
 */
function withoutSpread(difference, degreesOfFreedom) {
  const equal = difference === 0;
  const t = equal ? 0 : Math.sign(difference) * Infinity;
  return { difference, standardError: 0, degreesOfFreedom, t, p: equal ? 1 : 0 };
}

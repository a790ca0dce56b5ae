/** How sure the time of one side is. */

import { studentInterval } from '../../harness/stats/means.js';
import { describeTrimmedMean } from '../../harness/stats/robust.js';

/** @import { RatioInterval } from '../../harness/formats/types.ts' */

/**
 * The 20 %-trimmed mean of times on the log scale, with an interval from the winsorized variance and
 * Student's t (Tukey and McLaughlin, Sankhyā A 25, 1963): the part that one side has in the test of
 * Yuen and Welch that makes the verdict.
 *
 * @param {number[]} timesNs one a process, in any order
 * @param {number} alpha 0.05 for an interval of 95 %
 * @returns {RatioInterval | null} nanoseconds; null with fewer than two times
 */
export function intervalOfMean(timesNs, alpha) {
  if (timesNs.length < 2) return null;
  const { mean, squaredError, freedom } = describeTrimmedMean(timesNs.map(Math.log));
  const estimate = { estimate: mean, standardError: Math.sqrt(squaredError), freedom };
  const interval = studentInterval(estimate, alpha);
  return {
    estimate: Math.exp(interval.estimate),
    low: Math.exp(interval.low),
    high: Math.exp(interval.high),
  };
}

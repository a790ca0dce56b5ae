/** How sure the time of one side is. */

import { studentCritical } from '../../harness/stats/distributions.js';
import { countTrimmed, meanOfTrimmed, winsorizedVariance } from '../../harness/stats/robust.js';

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
  const logs = Float64Array.from(timesNs, Math.log).sort();
  const kept = logs.length - 2 * countTrimmed(logs.length);
  const freedom = kept - 1;
  const variance = ((logs.length - 1) * winsorizedVariance(logs)) / (kept * freedom);
  const half = studentCritical(alpha, freedom) * Math.sqrt(variance);
  const mean = meanOfTrimmed(logs);
  return { estimate: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

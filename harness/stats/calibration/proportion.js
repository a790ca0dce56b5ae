import { betaQuantile } from '../distributions.js';

/** @import { Proportion } from '../../formats/types.ts' */

/** Share of intervals that may miss the truth. */
const MISSED = 0.05;

/**
 * How often something happened, with the exact interval of Clopper and Pearson ("The use of
 * confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26, 1934) from
 * quantiles of the beta distribution: it misses the truth in at most 5 % of cases at any share.
 *
 * @param {number} count 0…of
 * @param {number} of tries; without any, the interval is 0…1
 * @returns {Proportion} shares of 0…1
 */
export function takeProportion(count, of) {
  return {
    count,
    of,
    low: count === 0 ? 0 : betaQuantile(MISSED / 2, count, of - count + 1),
    high: count === of ? 1 : betaQuantile(1 - MISSED / 2, count + 1, of - count),
  };
}

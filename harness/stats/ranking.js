import { combineFreedom, toRatio } from './means.js';
import { studentCritical } from './distributions.js';

/** @import { TrimmedMean } from './robust.js' */

/**
 * One variant compared with the best of the others.
 *
 * @typedef {object} Rank
 * @property {boolean} mayBeBest whether no other is shown to be faster
 * @property {number} low lower end of its time divided by that of the fastest other; at most 1
 * @property {number} high upper end; at least 1, and exactly 1 where it is shown to be the fastest
 */

/**
 * Multiple comparisons with the best (Hsu, "Multiple comparisons: theory and methods", 1996, chapter 4):
 * simultaneous intervals for the time of each variant relative to the fastest of the others. With the
 * probability of the level, all of them contain the truth, and the variants that may be the best include the
 * best. The critical value is Bonferroni's, slightly larger than Dunnett's for equal variances.
 *
 * @param {TrimmedMean[]} variants of log times, at least two
 * @param {number} level share of runs in which an interval may miss
 * @returns {Rank[]} in the order given
 */
export function compareWithBest(variants, level) {
  const others = (/** @type {number} */ own) =>
    variants.map((_, each) => each).filter((each) => each !== own);
  const bound = (
    /** @type {number} */ own,
    /** @type {number} */ other,
    /** @type {1 | -1} */ sign,
  ) => {
    const [one, two] = [variants[own], variants[other]];
    // `studentCritical` is two-sided, and each comparison is one-sided.
    const critical = studentCritical(
      (2 * level) / (variants.length - 1),
      combineFreedom([one, two]),
    );
    const error = Math.sqrt(one.squaredError + two.squaredError);
    return one.mean - two.mean + sign * critical * error;
  };
  const lows = variants.map((_, own) =>
    Math.min(0, Math.max(...others(own).map((other) => bound(own, other, -1)))),
  );
  const best = lows.flatMap((low, own) => (low < 0 ? [own] : []));
  return variants.map((_, own) => {
    const rivals = others(own).filter((other) => best.includes(other));
    const high = Math.max(0, ...rivals.map((other) => bound(own, other, 1)));
    return { mayBeBest: lows[own] < 0, low: toRatio(lows[own]), high: toRatio(high) };
  });
}

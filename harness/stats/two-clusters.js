/** Fewer values than this look split by chance too often. */
const MIN_VALUES = 24;
/** A smaller group is a few outliers, which the trimmed mean copes with. */
const MIN_GROUP_SHARE = 0.2;
/**
 * Share of the variance that the best split into two groups must explain. A normal sample comes to
 * 0.64, a uniform one to 0.75; two groups four of their standard deviations apart, to 0.8 and more.
 */
const MIN_EXPLAINED = 0.85;

/**
 * Looks for two separate groups among the values, as processes make that take one of two
 * optimisation paths.
 *
 * @param {ArrayLike<number>} sorted ascending
 * @returns {{ gap: number, smallerShare: number } | null} distance of the groups' means and the
 *   smaller one's share of the values; null where one group describes them well
 */
export function findTwoClusters(sorted) {
  const count = sorted.length;
  if (count < MIN_VALUES) return null;
  let total = 0;
  for (let index = 0; index < count; index++) total += sorted[index];
  const mean = total / count;
  let squares = 0;
  for (let index = 0; index < count; index++) squares += (sorted[index] - mean) ** 2;

  let best = { between: 0, gap: 0, lower: 0 };
  let lowerSum = 0;
  for (let lower = 1; lower < count; lower++) {
    lowerSum += sorted[lower - 1];
    const gap = (total - lowerSum) / (count - lower) - lowerSum / lower;
    const between = ((lower * (count - lower)) / count) * gap ** 2;
    if (between > best.between) best = { between, gap, lower };
  }
  const smallerShare = Math.min(best.lower, count - best.lower) / count;
  const separate = best.between > MIN_EXPLAINED * squares && smallerShare >= MIN_GROUP_SHARE;
  return separate ? { gap: best.gap, smallerShare } : null;
}

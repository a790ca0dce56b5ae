/**
 * The middle value, or the mean of the two middle ones.
 *
 * @param {ArrayLike<number>} values in any order, left as they are
 * @returns {number} NaN for no values
 */
export function takeMedian(values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

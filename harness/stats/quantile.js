/**
 * A quantile that is one of the values.
 *
 * @param {number[]} values at least one
 * @param {number} share 0…1
 * @returns {number} the smallest value with at least that share of the values at or below it
 */
export function takeQuantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

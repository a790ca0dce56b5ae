import { normalCritical, normalDensity } from './distributions.js';

/** Share cut from each end before averaging. FACTS "Noise" has the comparison with other shares. */
const TRIM_SHARE = 0.2;

/**
 * How many values are cut from each end of a sample.
 *
 * @param {number} count
 * @returns {number}
 */
export function countTrimmed(count) {
  return Math.floor(TRIM_SHARE * count);
}

/**
 * Mean of what is left after cutting 20 % from each end.
 *
 * @param {ArrayLike<number>} sorted ascending
 * @returns {number} NaN for no values
 */
export function meanOfTrimmed(sorted) {
  const cut = countTrimmed(sorted.length);
  let sum = 0;
  for (let index = cut; index < sorted.length - cut; index++) sum += sorted[index];
  return sum / (sorted.length - 2 * cut);
}

/**
 * Variance of the sample in which the cut values are replaced by the nearest kept one (Yuen, "The
 * two-sample trimmed t for unequal population variances", Biometrika 61, 1974).
 *
 * @param {ArrayLike<number>} sorted ascending
 * @returns {number} NaN for fewer than two values
 */
export function winsorizedVariance(sorted) {
  const cut = countTrimmed(sorted.length);
  const lowest = sorted[cut];
  const highest = sorted[sorted.length - 1 - cut];
  const winsorized = Array.from(sorted, (value) => Math.min(Math.max(value, lowest), highest));
  const mean = winsorized.reduce((sum, value) => sum + value, 0) / winsorized.length;
  const squares = winsorized.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return squares / (winsorized.length - 1);
}

/**
 * Standard deviation that outliers do not move: the winsorized one, scaled to equal the ordinary
 * one where the values are normal.
 *
 * @param {ArrayLike<number>} sorted ascending
 * @returns {number} NaN for fewer than two values
 */
export function robustDeviation(sorted) {
  const share = countTrimmed(sorted.length) / sorted.length;
  return Math.sqrt(winsorizedVariance(sorted) / winsorizedNormalVariance(share));
}

/**
 * Variance of a standard normal variable winsorized by a share at each end.
 *
 * @param {number} share 0…0.5
 * @returns {number}
 */
function winsorizedNormalVariance(share) {
  if (share === 0) return 1;
  const edge = normalCritical(2 * share);
  return 1 - 2 * share - 2 * edge * normalDensity(edge) + 2 * share * edge * edge;
}

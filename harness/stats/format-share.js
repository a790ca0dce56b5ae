/**
 * A share as people read it: one decimal below 10 %, none above.
 *
 * @param {number} share 0.031 is 3.1 %
 * @returns {string}
 */
export function formatShare(share) {
  const percent = share * 100;
  return `${percent.toFixed(percent < 9.95 ? 1 : 0)} %`;
}

/**
 * Holm's adjustment for several tests: rejecting what comes out at or below α keeps the chance of
 * any false rejection at α (Holm, "A simple sequentially rejective multiple test procedure", 1979).
 *
 * @param {number[]} pValues
 * @returns {number[]} adjusted, in the order given
 */
export function adjustByHolm(pValues) {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a] - pValues[b]);
  const adjusted = pValues.map(() => 1);
  let highest = 0;
  order.forEach((index, rank) => {
    highest = Math.max(highest, Math.min(1, (pValues.length - rank) * pValues[index]));
    adjusted[index] = highest;
  });
  return adjusted;
}

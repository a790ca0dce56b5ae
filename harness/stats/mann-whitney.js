import { normalUpperTail } from './distributions.js';

/**
 * Mann–Whitney U test, two-sided, by the normal approximation with the corrections for ties and
 * continuity; agrees with `scipy.stats.mannwhitneyu(…, method='asymptotic')`. The approximation is
 * good from about eight values a side; as a second opinion it needs no exact form.
 *
 * @param {ArrayLike<number>} first
 * @param {ArrayLike<number>} second
 * @returns {number | null} p; null when a side is empty
 */
export function mannWhitneyP(first, second) {
  if (first.length === 0 || second.length === 0) return null;
  const { rankSum, tieTerm } = rankFirst(first, second);
  const pairs = first.length * second.length;
  const total = first.length + second.length;
  const u = rankSum - (first.length * (first.length + 1)) / 2;
  const variance = (pairs / 12) * (total + 1 - tieTerm / (total * (total - 1)));
  if (variance === 0) return 1;
  const z = (Math.abs(u - pairs / 2) - 0.5) / Math.sqrt(variance);
  return Math.min(1, 2 * normalUpperTail(z));
}

/**
 * Sum of the ranks of the first sample within both, ties sharing their mean rank, and Σ(t³ − t)
 * over the groups of t tied values.
 *
 * @param {ArrayLike<number>} first
 * @param {ArrayLike<number>} second
 */
function rankFirst(first, second) {
  const values = [
    ...Array.from(first, (value) => ({ value, isFirst: true })),
    ...Array.from(second, (value) => ({ value, isFirst: false })),
  ].sort((a, b) => a.value - b.value);
  let rankSum = 0;
  let tieTerm = 0;
  for (let start = 0, end = 0; start < values.length; start = end) {
    while (end < values.length && values[end].value === values[start].value) end++;
    const tied = end - start;
    const sharedRank = (start + 1 + end) / 2;
    tieTerm += tied ** 3 - tied;
    for (let index = start; index < end; index++) {
      if (values[index].isFirst) rankSum += sharedRank;
    }
  }
  return { rankSum, tieTerm };
}

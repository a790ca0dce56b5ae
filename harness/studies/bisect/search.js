/** The search for the first bad candidate, apart from what measures. Candidate 0 is known to be good,
 * the last one to be bad. */

/** @import { StepAnswer } from './types.ts' */

/** A candidate that brings no answer is measured this often before it is passed over. */
export const MAX_ATTEMPTS = 3;

/**
 * How far a search is.
 *
 * @typedef {object} Search
 * @property {number} good index of the last candidate known to be good
 * @property {number} bad index of the first one known to be bad
 * @property {readonly number[]} passedOver indices without an answer
 * @property {number} attempts without an answer at the candidate that is next
 * @property {number} testsLeft comparisons that the error rate of the whole search pays for
 */

/**
 * Candidates that a search has to tell good from bad at most; each answer halves what is left.
 *
 * @param {number} count of candidates, both ends included
 * @returns {number}
 */
export function countAnswers(count) {
  return Math.ceil(Math.log2(count - 1));
}

/**
 * Comparisons of a whole bisection at most, where none has to be repeated: of the ends, those of the
 * search, and of the last good candidate with the first bad one, unless these are the ends.
 *
 * @param {number} count of candidates, both ends included
 * @returns {number}
 */
export function countComparisons(count) {
  return count === 2 ? 1 : countAnswers(count) + 2;
}

/**
 * Comparisons that a search may take at most, repetitions included. The error rate is shared among
 * so many, so the search ends with them.
 *
 * @param {number} count of candidates, both ends included
 * @returns {number}
 */
export function countTests(count) {
  return MAX_ATTEMPTS * countAnswers(count);
}

/**
 * @param {number} count of candidates, both ends included; at least 2
 * @returns {Search}
 */
export function startSearch(count) {
  return { good: 0, bad: count - 1, passedOver: [], attempts: 0, testsLeft: countTests(count) };
}

/**
 * The candidate to measure next: the middle one of those that are open. One that was passed over
 * leaves its neighbour in the middle.
 *
 * @param {Search} search
 * @returns {number | null} index; null at the end of the search
 */
export function nextCandidate(search) {
  const open = listOpen(search);
  if (open.length === 0 || search.testsLeft === 0) return null;
  return open[Math.floor(open.length / 2)];
}

/**
 * @param {Search} search
 * @returns {number[]} candidates of which nothing is known, ascending
 */
export function listOpen({ good, bad, passedOver }) {
  const passed = new Set(passedOver);
  const between = Array.from({ length: bad - good - 1 }, (_, offset) => good + 1 + offset);
  return between.filter((index) => !passed.has(index));
}

/**
 * What is known after a step. A candidate that cannot be measured is passed over at once and costs
 * no test; one without a clear answer is tried again, each time afresh.
 *
 * @param {Search} search
 * @param {number} index of the candidate that was next
 * @param {StepAnswer} answer
 * @returns {Search}
 */
export function recordAnswer(search, index, answer) {
  const passedOver = [...search.passedOver, index];
  if (answer === 'unusable') return { ...search, passedOver, attempts: 0 };
  const testsLeft = search.testsLeft - 1;
  if (answer === 'good') return { ...search, good: index, attempts: 0, testsLeft };
  if (answer === 'bad') return { ...search, bad: index, attempts: 0, testsLeft };
  const attempts = search.attempts + 1;
  if (attempts < MAX_ATTEMPTS) return { ...search, attempts, testsLeft };
  return { ...search, passedOver, attempts: 0, testsLeft };
}

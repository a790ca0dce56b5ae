import { studentCritical } from '../../stats/distributions.js';

/** @import { Interval } from '../../formats/types.ts' */
/** @import { Sample } from './types.ts' */

/** Share of intervals that may miss. */
const LEVEL = 0.05;

/**
 * The difference of two means with Welch's interval. Few processes can agree by luck, so a side's
 * error is never taken smaller than what the number of samples in its profiles allows.
 *
 * `candidateError` is an uncertainty that all of the candidate's figures share, as a share of them:
 * how well its scale is known against the baseline's. It is independent of the profiles, so the two
 * errors add as squares; summed over all functions it comes to the interval of the timed difference.
 *
 * @param {Sample[]} baseline one a process, at least two
 * @param {Sample[]} candidate one a process, at least two
 * @param {number} [candidateError] half the width of an interval of 95 %
 * @returns {Interval} candidate minus baseline
 */
export function compareSamples(baseline, candidate, candidateError = 0) {
  const [one, two] = [describeSide(baseline), describeSide(candidate)];
  const estimate = two.mean - one.mean;
  const profileError = welchHalfWidth(one, two);
  const half = Math.hypot(profileError, candidateError * two.mean);
  return { estimate, low: estimate - half, high: estimate + half };
}

/**
 * @param {Interval} interval
 * @returns {boolean} whether zero lies outside
 */
export function excludesZero({ low, high }) {
  return low > 0 || high < 0;
}

/**
 * Adds samples of several functions process by process.
 *
 * @param {Sample[][]} series each one sample a process, in the same order; none gives zeroes
 * @param {number} processes
 * @returns {Sample[]}
 */
export function addSamples(series, processes) {
  return Array.from({ length: processes }, (_, process) => ({
    value: sum(series.map((samples) => samples[process].value)),
    samplingVariance: sum(series.map((samples) => samples[process].samplingVariance)),
  }));
}

/**
 * @param {Sample[]} samples
 * @returns {number}
 */
export function meanOfSamples(samples) {
  return sum(samples.map(({ value }) => value)) / samples.length;
}

/**
 * A side's mean, its degrees of freedom, and its share of the squared standard error.
 *
 * @param {Sample[]} samples
 */
function describeSide(samples) {
  const count = samples.length;
  const mean = meanOfSamples(samples);
  const spread = sum(samples.map(({ value }) => (value - mean) ** 2)) / (count - 1);
  const sampling = sum(samples.map(({ samplingVariance }) => samplingVariance)) / count;
  return { mean, freedom: count - 1, share: Math.max(spread, sampling) / count };
}

/**
 * @param {ReturnType<typeof describeSide>} one
 * @param {ReturnType<typeof describeSide>} two
 * @returns {number}
 */
function welchHalfWidth(one, two) {
  const variance = one.share + two.share;
  if (variance === 0) return 0;
  const freedom = variance ** 2 / (one.share ** 2 / one.freedom + two.share ** 2 / two.freedom);
  return studentCritical(LEVEL, freedom) * Math.sqrt(variance);
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

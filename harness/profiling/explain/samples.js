import { studentCritical } from '../../stats/distributions.js';
import { meanOf, sumOf, varianceOf } from '../../stats/means.js';
import { compareTrimmedMeans, halfWidth } from '../../stats/robust.js';

/** @import { CellExplanation, Interval } from '../../formats/types.ts' */
/** @import { CellEvidence, Sample, ComparedArm } from './types.ts' */

/** Significance level. */
const LEVEL = 0.05;

/**
 * Difference of two means with Welch's interval. Since few processes can agree by chance, the error of
 * an arm is at least the sampling error of its profiles.
 *
 * `candidateError` is the relative uncertainty of the candidate's scale against the baseline's. It is
 * independent of the profiles, so the squares of the two errors add up; over all functions they sum to
 * the interval of the timed difference.
 *
 * @param {Sample[]} baseline one per process, at least two
 * @param {Sample[]} candidate one per process, at least two
 * @param {number} [candidateError] half-width of an interval of 95 %, as a share
 * @returns {Interval} candidate minus baseline
 */
export function compareSamples(baseline, candidate, candidateError = 0) {
  const [one, two] = [summarizeArm(baseline), summarizeArm(candidate)];
  const estimate = two.mean - one.mean;
  const profileError = welchHalfWidth(one, two);
  const half = Math.hypot(profileError, candidateError * two.mean);
  return { estimate, low: estimate - half, high: estimate + half };
}

/**
 * @param {Record<ComparedArm, Sample[]>} samples as `compareSamples` takes them
 * @param {number} [candidateError]
 * @returns {{ means: Record<ComparedArm, number>, change: Interval }}
 */
export function compareArms(samples, candidateError) {
  return {
    means: forBothArms((arm) => meanOfSamples(samples[arm])),
    change: compareSamples(samples.baseline, samples.candidate, candidateError),
  };
}

/** @type {(interval: Interval) => boolean} */
export function excludesZero({ low, high }) {
  return low > 0 || high < 0;
}

/**
 * Adds samples of several functions process by process.
 *
 * @param {Sample[][]} series each with one sample per process, in the same order; without series, zeros
 * @param {number} processes
 * @returns {Sample[]}
 */
export function addSamples(series, processes) {
  return Array.from({ length: processes }, (_, process) => ({
    value: sumOf(series.map((samples) => samples[process].value)),
    samplingVariance: sumOf(series.map((samples) => samples[process].samplingVariance)),
  }));
}

/** @type {(samples: Sample[]) => number} */
export function meanOfSamples(samples) {
  return meanOf(samples.map(({ value }) => value));
}

/** Mean of an arm, its degrees of freedom, and its share of the squared standard error. @param {Sample[]} samples */
function summarizeArm(samples) {
  const count = samples.length;
  const mean = meanOfSamples(samples);
  const spread = varianceOf(samples.map(({ value }) => value));
  const sampling = sumOf(samples.map(({ samplingVariance }) => samplingVariance)) / count;
  return { mean, freedom: count - 1, share: Math.max(spread, sampling) / count };
}

/** @type {(one: ReturnType<typeof summarizeArm>, two: ReturnType<typeof summarizeArm>) => number} */
function welchHalfWidth(one, two) {
  const variance = one.share + two.share;
  if (variance === 0) return 0;
  const freedom = variance ** 2 / (one.share ** 2 / one.freedom + two.share ** 2 / two.freedom);
  return studentCritical(LEVEL, freedom) * Math.sqrt(variance);
}

/**
 * @param {CellEvidence['figures']['instructions']} instructions
 * @returns {CellExplanation['instructions']} per document; null unless both arms were counted
 */
export function compareInstructions({ baseline, candidate }) {
  if (baseline === null || candidate === null || baseline.perDocument <= 0) return null;
  return {
    values: { baseline: baseline.perDocument, candidate: candidate.perDocument },
    ratio: candidate.perDocument / baseline.perDocument,
  };
}

/**
 * Compares whole processes like timed jobs: by trimmed means of logarithms.
 *
 * @param {CellEvidence['figures']['wholeProcess']} wholeProcess
 * @returns {CellExplanation['wholeProcess']} null with fewer than two processes per arm
 */
export function compareWholeProcess({ baseline, candidate }) {
  if (baseline === null || candidate === null) return null;
  const test = compareTrimmedMeans(candidate.timesMs.map(Math.log), baseline.timesMs.map(Math.log));
  if (test === null) return null;
  const half = halfWidth(test, LEVEL);
  return {
    valuesMs: { baseline: baseline.meanMs, candidate: candidate.meanMs },
    ratio: {
      estimate: Math.exp(test.difference),
      low: Math.exp(test.difference - half),
      high: Math.exp(test.difference + half),
    },
  };
}

/**
 * @template Value
 * @param {(arm: ComparedArm) => Value} make
 * @returns {Record<ComparedArm, Value>}
 */
export function forBothArms(make) {
  return { baseline: make('baseline'), candidate: make('candidate') };
}

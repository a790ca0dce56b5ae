import {
  countTrimmed,
  meanOfTrimmed,
  robustDeviation,
  winsorizedVariance,
} from '../trimmed-mean.js';

/**
 * Figures of processes that measured the same, told apart from what disturbed single ones.
 *
 * @typedef {object} SampleDescription
 * @property {number} mean 20 %-trimmed
 * @property {number} deviation robust standard deviation of a value
 * @property {number} squaredError squared standard error of the mean, as in Yuen's test
 * @property {number} freedom degrees of freedom of the deviation, by the number of values
 */

/**
 * @param {ArrayLike<number>} values logarithms of figures, in any order
 * @returns {SampleDescription | null} null for fewer than two values
 */
export function describeSample(values) {
  if (values.length < 2) return null;
  const sorted = Float64Array.from(values).sort();
  const freedom = sorted.length - 1;
  const kept = sorted.length - 2 * countTrimmed(sorted.length);
  return {
    mean: meanOfTrimmed(sorted),
    deviation: robustDeviation(sorted),
    squaredError: (freedom * winsorizedVariance(sorted)) / (kept * (kept - 1)),
    freedom,
  };
}

/**
 * Mean of the variances of samples, each weighing by its degrees of freedom.
 *
 * @param {SampleDescription[]} samples
 * @returns {number} 0 without samples
 */
export function poolVariances(samples) {
  let squares = 0;
  let freedom = 0;
  for (const sample of samples) {
    squares += sample.freedom * sample.deviation ** 2;
    freedom += sample.freedom;
  }
  return freedom === 0 ? 0 : squares / freedom;
}

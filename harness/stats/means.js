import { studentCritical, studentTwoSided } from './distributions.js';

/** @import { RatioInterval, ReportedFigure } from '../formats/types.ts' */

/** @type {(values: readonly number[]) => number} */
export function sumOf(values) {
  return values.reduce((sum, value) => sum + value, 0);
}

/** @type {(values: readonly number[]) => number} NaN for no values */
export function meanOf(values) {
  return sumOf(values) / values.length;
}

/** @type {(values: readonly number[]) => number} sum of the squared distances from their mean */
export function sumOfSquares(values) {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** @type {(values: readonly number[]) => number} unbiased; NaN for fewer than two values */
export function varianceOf(values) {
  return sumOfSquares(values) / (values.length - 1);
}

/**
 * A mean, or a difference of means, and how precisely it is known.
 *
 * @typedef {{ estimate: number, standardError: number, freedom: number }} MeanEstimate
 */

/** @param {readonly number[]} values at least two @returns {MeanEstimate} */
export function estimateMean(values) {
  const standardError = Math.sqrt(varianceOf(values) / values.length);
  return { estimate: meanOf(values), standardError, freedom: values.length - 1 };
}

/**
 * Difference of two means whose variances may differ (Welch, "The generalization of 'Student's'
 * problem when several different population variances are involved", Biometrika 34, 1947).
 *
 * @param {readonly number[]} first at least two values
 * @param {readonly number[]} second at least two values
 * @returns {MeanEstimate} first minus second
 */
export function estimateDifference(first, second) {
  const parts = [first, second].map((values) => ({
    squaredError: varianceOf(values) / values.length,
    freedom: values.length - 1,
  }));
  return {
    estimate: meanOf(first) - meanOf(second),
    standardError: Math.sqrt(sumOf(parts.map(({ squaredError }) => squaredError))),
    freedom: combineFreedom(parts),
  };
}

/**
 * Degrees of freedom of a sum of independent errors (Satterthwaite, "An approximate distribution of
 * estimates of variance components", 1946).
 *
 * @param {readonly { squaredError: number, freedom: number }[]} parts
 * @returns {number} without any error, when they do not matter: the sum of those of the parts
 */
export function combineFreedom(parts) {
  const whole = sumOf(parts.map(({ squaredError }) => squaredError));
  if (whole === 0) return sumOf(parts.map(({ freedom }) => freedom));
  return whole ** 2 / sumOf(parts.map(({ squaredError, freedom }) => squaredError ** 2 / freedom));
}

/**
 * Student's test of whether a mean is zero.
 *
 * @param {MeanEstimate} mean
 * @returns {{ t: number, p: number }} two-sided; without any error, a mean other than 0 has a p of 0
 */
export function testZero({ estimate, standardError, freedom }) {
  if (estimate === 0) return { t: 0, p: 1 };
  if (standardError === 0) return { t: Math.sign(estimate) * Infinity, p: 0 };
  const t = estimate / standardError;
  return { t, p: studentTwoSided(t, freedom) };
}

/**
 * Student's interval around a mean.
 *
 * @param {MeanEstimate} mean
 * @param {number} level share of intervals that may miss, two-sided: 0.05 for 95 %
 * @returns {{ estimate: number, low: number, high: number }}
 */
export function studentInterval({ estimate, standardError, freedom }, level) {
  const half = studentCritical(level, freedom) * standardError;
  return { estimate, low: estimate - half, high: estimate + half };
}

/** @type {(log: number) => number} its exponential; at most the largest number, because JSON has no infinity */
export function toRatio(log) {
  return Math.min(Math.exp(log), Number.MAX_VALUE);
}

/** @param {RatioInterval} interval on the log scale @returns {RatioInterval} */
export function toRatios({ estimate, low, high }) {
  return { estimate: toRatio(estimate), low: toRatio(low), high: toRatio(high) };
}

/** @type {(ratio: RatioInterval) => RatioInterval} its logarithms, as `toRatios` takes them */
export function toLogs({ estimate, low, high }) {
  return { estimate: Math.log(estimate), low: Math.log(low), high: Math.log(high) };
}

/** @type {(ratio: RatioInterval) => number} how far it is from 1 at least, on the log scale; negative where it may be 1 */
export function leastChange({ low, high }) {
  return Math.max(Math.log(low), -Math.log(high));
}

/**
 * The ratio of two ratios whose errors are independent, such as those of two edits to one baseline. On the log scale the
 * squares of the distances of both estimates from the ends of their intervals add up, each side on its own (Zou and Donner,
 * "Construction of confidence limits about effect measures", Statistics in Medicine 27, 2008).
 *
 * @param {RatioInterval} one
 * @param {RatioInterval} other an interval of the same level
 * @returns {RatioInterval}
 */
export function divideRatios(one, other) {
  const distance = (/** @type {number} */ from, /** @type {number} */ to) => Math.log(to / from);
  const estimate = Math.log(one.estimate / other.estimate);
  return toRatios({
    estimate,
    low:
      estimate - Math.hypot(distance(one.low, one.estimate), distance(other.estimate, other.high)),
    high:
      estimate + Math.hypot(distance(one.estimate, one.high), distance(other.low, other.estimate)),
  });
}

/** A slope through fewer points means nothing. */
const MIN_POINTS = 4;

/**
 * Whether values change with time: the slope of a straight line and its t test.
 *
 * @param {{ x: number, y: number }[]} points
 * @returns {{ slope: number, p: number } | null} `p` of a zero slope, two-sided; null for fewer than
 *   four points or points at one x
 */
export function fitTrend(points) {
  const count = points.length;
  if (count < MIN_POINTS) return null;
  const { slope, squaresX, squaresY, products } = fitLine(points);
  if (squaresX === 0) return null;
  const residual = Math.max(0, squaresY - slope * products);
  const standardError = Math.sqrt(residual / (count - 2) / squaresX);
  return { slope, p: testZero({ estimate: slope, standardError, freedom: count - 2 }).p };
}

/**
 * A straight line through points by least squares, and the sums that it follows from.
 *
 * @param {{ x: number, y: number }[]} points
 * @returns {{ slope: number, meanX: number, meanY: number, squaresX: number, squaresY: number,
 *   products: number }} the slope is NaN where all points have one x
 */
export function fitLine(points) {
  const meanX = meanOf(points.map(({ x }) => x));
  const meanY = meanOf(points.map(({ y }) => y));
  let squaresX = 0;
  let squaresY = 0;
  let products = 0;
  for (const { x, y } of points) {
    squaresX += (x - meanX) ** 2;
    squaresY += (y - meanY) ** 2;
    products += (x - meanX) * (y - meanY);
  }
  return { slope: products / squaresX, meanX, meanY, squaresX, squaresY, products };
}

/**
 * The ratio of candidate to baseline that a reported figure means: of times, so above 1 is slower,
 * or of bytes where bytes were reported.
 * @type {(figure: ReportedFigure) => number | null} null where no figure was reported
 */
export function findExpectedRatio(figure) {
  switch (figure.formula) {
    case 'throughput-percent':
      return 1 / (1 + figure.percent / 100);
    case 'time-percent':
      return 1 + figure.percent / 100;
    case 'symmetric-percent': {
      // (b − a) / ((a + b) / 2) = p, solved for b / a, the ratio of throughputs.
      const share = figure.percent / 200;
      return (1 - share) / (1 + share);
    }
    case 'throughput-pair':
      return figure.baseline / figure.candidate;
    case 'retained-bytes':
      return figure.candidate / figure.baseline;
    default:
      return null;
  }
}

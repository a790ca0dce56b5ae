import {
  normalCritical,
  normalDensity,
  normalUpperTail,
  studentCritical,
} from './distributions.js';
import { combineFreedom, meanOf, sumOf, testZero, varianceOf } from './means.js';

/** Share cut from each end before averaging (decision 0002). */
const TRIM_SHARE = 0.2;

/** How many values are cut from each end of a sample. @type {(count: number) => number} */
function countTrimmed(count) {
  return Math.floor(TRIM_SHARE * count);
}

/**
 * The 20 %-trimmed mean.
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
  return varianceOf(winsorized);
}

/**
 * Standard deviation that outliers hardly affect: the winsorized one, scaled to equal the ordinary one
 * for normal values.
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

/**
 * The difference of the 20 %-trimmed means of two samples.
 *
 * @typedef {object} MeanDifference
 * @property {number} difference first minus second, in the unit of the values
 * @property {number} standardError
 * @property {number} degreesOfFreedom
 * @property {number} t
 * @property {number} p two-sided
 * @property {{ squaredError: number, freedom: number }} [noise] of a run over several hosts, the error without the choice of
 *   the hosts
 */

/** What is smaller comes from rounding. */
const MIN_ERROR = 1e-12;

/**
 * Reports whether all values that count are the same, as with a coarse or mocked clock. Then they say nothing about the noise.
 * @type {(error: number) => boolean} of a standard error or deviation on the log scale
 */
export function isWithoutNoise(error) {
  return error < MIN_ERROR;
}

/**
 * Yuen's test without the assumption of equal variances; agrees with
 * `scipy.stats.ttest_ind(first, second, trim=.2, equal_var=False)`.
 *
 * @param {ArrayLike<number>} first in any order
 * @param {ArrayLike<number>} second in any order
 * @returns {MeanDifference | null} null when a sample has fewer than two values
 */
export function compareTrimmedMeans(first, second) {
  if (first.length < 2 || second.length < 2) return null;
  const [one, two] = [describeTrimmedMean(first), describeTrimmedMean(second)];
  return testDifference(one, two, one.squaredError + two.squaredError);
}

/**
 * The same with a variance that does not collapse where one sample happens to trim all of its slow values
 * and the other does not, as with two groups of which the smaller has about the share that is cut: it is
 * at least that of both samples winsorized at common limits. Each sample has one degree of freedom less,
 * since far out Yuen's statistic has heavier tails than t. Decision 0025 has the error rates.
 *
 * @param {ArrayLike<number>} first in any order
 * @param {ArrayLike<number>} second in any order
 * @param {number} [moreVariance] of the difference, from other sources than the spread of the samples
 * @returns {MeanDifference | null} null when a sample has fewer than two values
 */
export function compareCautiously(first, second, moreVariance = 0) {
  if (first.length < 2 || second.length < 2) return null;
  const [one, two] = [describeTrimmedMean(first), describeTrimmedMean(second)];
  const own = one.squaredError + two.squaredError;
  const common = squaredErrorAtCommonLimits([
    { values: first, mean: one.mean },
    { values: second, mean: two.mean },
  ]);
  return testDifference(lessFree(one), lessFree(two), Math.max(own, common) + moreVariance);
}

/**
 * Yuen's test of the differences of pairs: whether their 20 %-trimmed mean is zero, with one degree of
 * freedom less for the same reason. Another one is that of the difference of the cores, which was estimated from them.
 *
 * @param {ArrayLike<number>} differences in any order
 * @param {number} imbalance by which the variance is larger than with as many pairs of either order of the cores
 * @param {number} moreVariance of the mean, from other sources than the spread of the sample
 * @returns {MeanDifference | null} null with fewer than two differences, or those of one order alone
 */
export function testPairs(differences, imbalance, moreVariance) {
  if (differences.length < 2 || !Number.isFinite(imbalance)) return null;
  const described = describeTrimmedMean(differences);
  const { mean, squaredError, freedom } = lessFree(described);
  const ofCores = described.freedom / Math.max(1, described.freedom - 1);
  const standardError = Math.sqrt(squaredError * ofCores * imbalance + moreVariance);
  const test = testZero({ estimate: mean, standardError, freedom });
  return { difference: mean, standardError, degreesOfFreedom: freedom, t: test.t, p: test.p };
}

/** @type {(mean: TrimmedMean) => TrimmedMean} */
function lessFree(mean) {
  return { ...mean, freedom: Math.max(1, mean.freedom - 1) };
}

/**
 * @param {TrimmedMean} one
 * @param {TrimmedMean} two
 * @param {number} variance of their difference
 * @returns {MeanDifference}
 */
function testDifference(one, two, variance) {
  const difference = one.mean - two.mean;
  const standardError = Math.sqrt(variance);
  const degreesOfFreedom = combineFreedom([one, two]);
  const { t, p } = testZero({ estimate: difference, standardError, freedom: degreesOfFreedom });
  return { difference, standardError, degreesOfFreedom, t, p };
}

/**
 * Squared standard error of the difference of two trimmed means, both samples winsorized at the limits of
 * all residuals together.
 *
 * @param {{ values: ArrayLike<number>, mean: number }[]} samples with their trimmed means
 */
function squaredErrorAtCommonLimits(samples) {
  const residuals = samples.map(({ values, mean }) =>
    Float64Array.from(values, (value) => value - mean),
  );
  const sorted = Float64Array.from(residuals.flatMap((each) => [...each])).sort();
  const cut = countTrimmed(sorted.length);
  const [lowest, highest] = [sorted[cut], sorted[sorted.length - 1 - cut]];
  return sumOf(residuals.map((each) => toSquaredError(each, lowest, highest)));
}

/**
 * Half the width of the confidence interval around the difference.
 *
 * @param {Pick<MeanDifference, 'standardError' | 'degreesOfFreedom'>} test
 * @param {number} level share of intervals that may miss, two-sided: 0.05 for 95 %
 * @returns {number}
 */
export function halfWidth({ standardError, degreesOfFreedom }, level) {
  return studentCritical(level, degreesOfFreedom) * standardError;
}

/**
 * @param {Parameters<typeof halfWidth>[0] & { difference: number }} test
 * @param {number} level as of `halfWidth`
 * @returns {{ estimate: number, low: number, high: number }} the confidence interval
 */
export function intervalAround(test, level) {
  const half = halfWidth(test, level);
  const { difference } = test;
  return { estimate: difference, low: difference - half, high: difference + half };
}

/**
 * A 20 %-trimmed mean with its squared standard error (Yuen, 1974).
 *
 * @typedef {{ mean: number, squaredError: number, freedom: number }} TrimmedMean
 */

/** @param {ArrayLike<number>} values in any order, at least two @returns {TrimmedMean} */
export function describeTrimmedMean(values) {
  const sorted = Float64Array.from(values).sort();
  const cut = countTrimmed(sorted.length);
  const squaredError = toSquaredError(sorted, sorted[cut], sorted[sorted.length - 1 - cut]);
  return { mean: meanOfTrimmed(sorted), squaredError, freedom: sorted.length - 2 * cut - 1 };
}

/**
 * The 20 %-trimmed mean of values in groups that share an error. As if the group were the unit, its squared error comes from
 * the sums of groups of the winsorized values, and its degrees of freedom from as many groups as there are without the
 * share that is cut, less one for the same reason as above. Of groups with one value each it is Yuen's.
 *
 * @param {number[][]} groups at least four, none of them empty
 * @returns {TrimmedMean}
 */
export function describeGroupedMean(groups) {
  const sorted = Float64Array.from(groups.flat()).sort();
  const count = sorted.length;
  const cut = countTrimmed(count);
  const [lowest, highest] = [sorted[cut], sorted[count - 1 - cut]];
  const winsorized = groups.map((values) =>
    values.map((value) => Math.min(Math.max(value, lowest), highest)),
  );
  const centre = meanOf(winsorized.flat());
  const squares = winsorized.map((values) => (sumOf(values) - values.length * centre) ** 2);
  const kept = count - 2 * cut;
  const keptGroups = (groups.length * kept) / count;
  const squaredError = ((sumOf(squares) / kept ** 2) * keptGroups) / (keptGroups - 1);
  return { mean: meanOfTrimmed(sorted), squaredError, freedom: Math.max(1, keptGroups - 2) };
}

/** @type {(values: Float64Array, lowest: number, highest: number) => number} */
function toSquaredError(values, lowest, highest) {
  const kept = values.length - 2 * countTrimmed(values.length);
  const winsorized = [...values].map((value) => Math.min(Math.max(value, lowest), highest));
  return ((values.length - 1) * varianceOf(winsorized)) / (kept * (kept - 1));
}

/**
 * Mann–Whitney U test, two-sided, by the normal approximation with the corrections for ties and
 * continuity; agrees with `scipy.stats.mannwhitneyu(…, method='asymptotic')`. The approximation is
 * good from about eight values per sample, and good enough for a second opinion.
 * @type {(first: ArrayLike<number>, second: ArrayLike<number>) => number | null} p; null when a sample is empty
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
 * @param {ArrayLike<number>} first @param {ArrayLike<number>} second
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

/** @param {ArrayLike<number>} values in any order @returns {number} NaN for no values */
export function takeMedian(values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

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

/**
 * A quantile between values, whose expected value hardly depends on their number (Hyndman and Fan, "Sample quantiles in
 * statistical packages", 1996, definition 8).
 *
 * @param {number[]} values at least one
 * @param {number} share 0…1
 * @returns {number}
 */
export function interpolateQuantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  const place = Math.min(Math.max((sorted.length + 1 / 3) * share + 1 / 3, 1), sorted.length);
  const below = Math.floor(place);
  const lower = sorted[below - 1];
  return lower + (place - below) * ((sorted[below] ?? lower) - lower);
}

/** Fewer values fall into two groups by chance too often. */
const MIN_VALUES = 24;
/** A smaller group is a few outliers, which the trimmed mean handles. */
const MIN_GROUP_SHARE = 0.2;
/**
 * Share of the variance that the best split into two groups must explain. It is 0.64 for a normal
 * sample, 0.75 for a uniform one, and 0.8 or more for groups four standard deviations apart.
 */
const MIN_EXPLAINED = 0.85;

/**
 * Looks for two separate groups of values, which processes form when the compiler optimises them in one
 * of two ways.
 *
 * @param {ArrayLike<number>} sorted ascending
 * @returns {{ gap: number, smallerShare: number } | null} distance of the groups' means and the
 *   smaller one's share of the values; null where one group describes the values well
 */
export function findTwoClusters(sorted) {
  const count = sorted.length;
  if (count < MIN_VALUES) return null;
  let total = 0;
  for (let index = 0; index < count; index++) total += sorted[index];
  const mean = total / count;
  let squares = 0;
  for (let index = 0; index < count; index++) squares += (sorted[index] - mean) ** 2;

  let best = { between: 0, gap: 0, lower: 0 };
  let lowerSum = 0;
  for (let lower = 1; lower < count; lower++) {
    lowerSum += sorted[lower - 1];
    const gap = (total - lowerSum) / (count - lower) - lowerSum / lower;
    const between = ((lower * (count - lower)) / count) * gap ** 2;
    if (between > best.between) best = { between, gap, lower };
  }
  const smallerShare = Math.min(best.lower, count - best.lower) / count;
  const separate = best.between > MIN_EXPLAINED * squares && smallerShare >= MIN_GROUP_SHARE;
  return separate ? { gap: best.gap, smallerShare } : null;
}

/** Power with which a detectable effect is found. */
const POWER = 0.8;

/**
 * The smallest true effect that a test of this precision finds four times in five. It adds the t
 * quantiles of the level and the power, an approximation of the noncentral t distribution that errs by
 * a few per cent of the effect at ten processes, and by less at more.
 *
 * @param {{ standardError: number, degreesOfFreedom: number }} test on the log scale
 * @param {number} level nominal, two-sided
 * @returns {number} as a share: 0.03 is 3 %
 */
export function detectableEffect({ standardError, degreesOfFreedom }, level) {
  const quantiles =
    studentCritical(level, degreesOfFreedom) + studentCritical(2 * (1 - POWER), degreesOfFreedom);
  return Math.expm1(quantiles * standardError);
}

/**
 * Processes per variant that settle a cell four times in five, if effect and noise are as estimated:
 * enough to show a direction or equivalence, whichever comes first. An effect below the minimum is at
 * least half of it away from zero or from the bound, so the number is finite.
 *
 * @param {object} seen
 * @param {number} seen.difference on the log scale
 * @param {number} seen.standardError
 * @param {number} seen.processes per variant, with this standard error
 * @param {number} seen.minimumEffect on the log scale
 * @param {number} seen.directionLevel nominal level of a direction
 * @param {number} seen.intervalLevel nominal level of the interval that shows equivalence
 * @returns {number} more than `processes`
 */
export function processesNeeded(seen) {
  const oneProcessVariance = seen.standardError ** 2 * seen.processes;
  const distance = Math.abs(seen.difference);
  const forDirection = neededFor(distance, seen.directionLevel);
  const forEquivalence = neededFor(seen.minimumEffect - distance, seen.intervalLevel);
  const needed = Math.ceil(Math.min(forDirection, forEquivalence));
  return Math.max(needed, seen.processes + 1);

  /** @param {number} gap @param {number} level */
  function neededFor(gap, level) {
    if (gap <= 0) return Infinity;
    const quantiles = normalCritical(level) + normalCritical(2 * (1 - POWER));
    return (quantiles / gap) ** 2 * oneProcessVariance;
  }
}

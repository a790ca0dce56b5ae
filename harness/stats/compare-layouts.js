import { studentCritical } from './distributions.js';
import { countTrimmed, meanOfTrimmed, winsorizedVariance } from './trimmed-mean.js';

/** @import { LayoutComparison, RatioInterval } from '../formats/types.ts' */

/** Processes below which the mean of a layout says too little of it. */
const MIN_LAYOUT_PROCESSES = 4;
/** Layouts a side below which there is no telling how far they differ. */
const MIN_LAYOUTS = 2;

/** @typedef {{ mean: number, squaredError: number }} LayoutMean of the logarithms of one layout */

/**
 * Both sides in several layouts. The layout is the unit of replication, as the process is elsewhere:
 * processes of one layout share what their code's places cost. The interval is Welch's on the means of
 * layouts (Welch, "The generalization of 'Student's' problem when several different population
 * variances are involved", Biometrika 34, 1947).
 *
 * @param {Record<'baseline' | 'candidate', number[][]>} logFigures of each side, by layout: logarithms
 *   of what its processes contribute; of the unedited layout first
 * @param {number} alpha share of intervals that may miss
 * @returns {LayoutComparison | null} null with fewer than two layouts a side of four processes
 */
export function compareLayouts(logFigures, alpha) {
  const sides = [logFigures.baseline, logFigures.candidate].map((layouts) =>
    layouts.filter(({ length }) => length >= MIN_LAYOUT_PROCESSES),
  );
  const [baseline, candidate] = sides.map((layouts) => layouts.map(describeLayout));
  if (Math.min(baseline.length, candidate.length) < MIN_LAYOUTS) return null;
  const spread = Math.sqrt(Math.max(0, (findExcess(baseline) + findExcess(candidate)) / 2));
  return {
    layouts: Math.min(baseline.length, candidate.length),
    processes: Math.min(...sides.flat().map(({ length }) => length)),
    ratio: findRatio(baseline, candidate, alpha),
    deviations: { baseline: listDeviations(baseline), candidate: listDeviations(candidate) },
    spread,
  };
}

/**
 * @param {number[]} values
 * @returns {LayoutMean} 20 %-trimmed mean, and its squared standard error (Yuen, 1974)
 */
function describeLayout(values) {
  const sorted = Float64Array.from(values).sort();
  const kept = sorted.length - 2 * countTrimmed(sorted.length);
  const squaredError = ((sorted.length - 1) * winsorizedVariance(sorted)) / (kept * (kept - 1));
  return { mean: meanOfTrimmed(sorted), squaredError };
}

/**
 * How far layouts differ beyond what the noise of processes explains.
 *
 * @param {LayoutMean[]} layouts
 * @returns {number} variance; negative where they differ by less
 */
function findExcess(layouts) {
  const noise = layouts.reduce((sum, { squaredError }) => sum + squaredError, 0) / layouts.length;
  return findVariance(layouts) - noise;
}

/** @param {LayoutMean[]} layouts */
function findMean(layouts) {
  return layouts.reduce((sum, { mean }) => sum + mean, 0) / layouts.length;
}

/** @param {LayoutMean[]} layouts */
function findVariance(layouts) {
  const centre = findMean(layouts);
  const squares = layouts.reduce((sum, { mean }) => sum + (mean - centre) ** 2, 0);
  return squares / (layouts.length - 1);
}

/**
 * @param {LayoutMean[]} baseline
 * @param {LayoutMean[]} candidate
 * @param {number} alpha
 * @returns {RatioInterval}
 */
function findRatio(baseline, candidate, alpha) {
  const difference = findMean(candidate) - findMean(baseline);
  const shares = [baseline, candidate].map((side) => ({
    share: findVariance(side) / side.length,
    freedom: side.length - 1,
  }));
  const variance = shares.reduce((sum, { share }) => sum + share, 0);
  // Layouts that agree to the last digit leave nothing to estimate an error from.
  if (variance === 0) {
    const ratio = Math.exp(difference);
    return { estimate: ratio, low: ratio, high: ratio };
  }
  const freedom =
    variance ** 2 / shares.reduce((sum, { share, freedom: own }) => sum + share ** 2 / own, 0);
  const half = studentCritical(alpha, freedom) * Math.sqrt(variance);
  const [estimate, low, high] = [0, -half, half].map((shift) => toRatio(difference + shift));
  return { estimate, low, high };
}

/** @param {LayoutMean[]} layouts */
function listDeviations(layouts) {
  const centre = findMean(layouts);
  return layouts.map(({ mean }) => Math.exp(mean - centre));
}

/**
 * From the log scale, without the infinity that JSON has not.
 *
 * @param {number} log
 */
function toRatio(log) {
  return Math.min(Math.exp(log), Number.MAX_VALUE);
}

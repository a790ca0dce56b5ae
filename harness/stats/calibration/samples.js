import { poolBaseline } from '../collect-cells.js';
import { betaQuantile, chiSquareQuantile, studentCritical } from '../distributions.js';
import { countTrimmed, meanOfTrimmed, robustDeviation, winsorizedVariance } from '../robust.js';

/** @import { Arm, Interval, LayoutCalibration, NoiseParts, Proportion, Trial } from '../../formats/types.ts' */

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

/**
 * Where the noise comes from: the standard deviation between processes of one trial, and that of
 * the baseline's mean from trial to trial beyond what so many processes explain. The baseline is the
 * same code in every trial of a cell, whatever was injected into the candidate. Cells are put
 * together by their variances; outliers tell in none (winsorized variances).
 *
 * @param {Trial[]} trials of one mode
 * @param {number | null} batch between batches of one process, where it is known
 * @returns {NoiseParts} on the log scale; a part that does not stand out is 0
 */
export function splitNoise(trials, batch) {
  const samples = trials.map(({ cellId, ...trial }) => {
    const logs = listLogs(trial);
    return {
      cellId,
      baseline: describeSample(poolBaseline(logs)),
      candidate: describeSample(logs.candidate),
    };
  });
  const within = samples.flatMap(({ baseline, candidate }) => [baseline ?? [], candidate ?? []]);
  const stretches = samples.flatMap(({ cellId, baseline }) =>
    baseline === null ? [] : { cellId, ...baseline },
  );
  return {
    process: Math.sqrt(poolVariances(within.flat())),
    batch,
    drift: Math.sqrt(takeDriftVariance(stretches)),
  };
}

/**
 * Variance of the means of a cell, less the mean of the squared errors that they have by themselves.
 *
 * @param {{ cellId: string, mean: number, squaredError: number }[]} stretches one a trial
 */
function takeDriftVariance(stretches) {
  if (stretches.length === 0) return 0;
  const cellIds = [...new Set(stretches.map(({ cellId }) => cellId))];
  const cells = cellIds.flatMap((id) => {
    const own = stretches.filter(({ cellId }) => cellId === id);
    return describeSample(own.map(({ mean }) => mean)) ?? [];
  });
  const errors = stretches.reduce((sum, { squaredError }) => sum + squaredError, 0);
  return Math.max(0, poolVariances(cells) - errors / stretches.length);
}

/** Share of intervals that may miss the truth. */
const MISSED = 0.05;

/**
 * How far code placement moves a cell: the variance of the means of layouts, less the share that
 * their processes explain. Its interval is the chi-square one of the variance of normal means, with
 * the same share taken from both ends; it supposes that that share is known, which it is well
 * beside the other. With few layouts it is wide, and it says so.
 *
 * @param {string} cellId
 * @param {number[][]} logs by layout: logarithms of what its processes contributed
 * @returns {LayoutCalibration | null} null with fewer than two layouts of at least two processes;
 *   deviations on the log scale, which small ones share with shares
 */
export function takeLayoutSpread(cellId, logs) {
  const layouts = logs.flatMap((values) => describeSample(values) ?? []);
  if (layouts.length < 2) return null;
  const means = layouts.map(({ mean }) => mean);
  const error = layouts.reduce((sum, { squaredError }) => sum + squaredError, 0) / layouts.length;
  const freedom = layouts.length - 1;
  const squares = sumSquares(means);
  /** @param {number} variance of means */
  const deviationOf = (variance) => Math.sqrt(Math.max(0, variance - error));
  return {
    cellId,
    layouts: layouts.length,
    processes: Math.min(...layouts.map((layout) => layout.freedom + 1)),
    spread: {
      estimate: deviationOf(squares / freedom),
      low: deviationOf(squares / chiSquareQuantile(1 - MISSED / 2, freedom)),
      high: deviationOf(squares / chiSquareQuantile(MISSED / 2, freedom)),
    },
    range: Math.exp(Math.max(...means) - Math.min(...means)),
    processSpread: Math.sqrt(poolVariances(layouts)),
  };
}

/** @param {number[]} values */
function sumSquares(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

const LEVEL = 0.05;

/**
 * @param {number[]} logs logarithms of ratios
 * @returns {Interval | null} geometric mean minus one, as shares; null with fewer than two
 */
export function intervalOfMean(logs) {
  if (logs.length < 2) return null;
  const error = varianceOf(logs) / logs.length;
  return toShares(meanOf(logs), Math.sqrt(error), logs.length - 1);
}

/**
 * The mean of the first held against that of the second, their variances not taken for equal
 * (Welch, Biometrika 34, 1947).
 *
 * @param {number[]} first logarithms of ratios
 * @param {number[]} second logarithms of ratios
 * @returns {Interval | null} ratio of the geometric means minus one, as shares; null with fewer than
 *   two on a side
 */
export function intervalOfDifference(first, second) {
  if (first.length < 2 || second.length < 2) return null;
  const errors = [first, second].map((logs) => varianceOf(logs) / logs.length);
  const [one = 0, two = 0] = errors;
  const freedom =
    (one + two) ** 2 / (one ** 2 / (first.length - 1) + two ** 2 / (second.length - 1));
  const difference = meanOf(first) - meanOf(second);
  // Without any scatter there are no degrees of freedom, and no width to multiply either.
  return toShares(difference, Math.sqrt(one + two), Number.isNaN(freedom) ? 1 : freedom);
}

/**
 * @param {number[]} logs
 * @returns {number | null} standard deviation; null with fewer than two
 */
export function deviationOf(logs) {
  return logs.length < 2 ? null : Math.sqrt(varianceOf(logs));
}

/**
 * @param {number} mean
 * @param {number} standardError
 * @param {number} freedom
 * @returns {Interval}
 */
function toShares(mean, standardError, freedom) {
  const half = studentCritical(LEVEL, freedom) * standardError;
  return {
    estimate: Math.expm1(mean),
    low: Math.expm1(mean - half),
    high: Math.expm1(mean + half),
  };
}

/** @param {number[]} values */
function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param {number[]} values */
function varianceOf(values) {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/**
 * What the processes of a trial contributed, by arm.
 *
 * @param {Pick<Trial, 'processed'>} trial
 * @param {number} [untilMs] leaves out processes that began at this time of the trial or later
 * @returns {Record<Arm, number[]>} logarithms of nanoseconds per document, in the order of time
 */
export function listLogs({ processed }, untilMs = Infinity) {
  /** @type {Record<Arm, number[]>} */
  const logs = { baseline: [], candidate: [], control: [] };
  for (const { arm, startedAtMs, ns } of processed) {
    if (startedAtMs < untilMs) logs[arm].push(Math.log(ns));
  }
  return logs;
}

/**
 * How often something happened, with the exact interval of Clopper and Pearson ("The use of
 * confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26, 1934) from
 * quantiles of the beta distribution: it misses the truth in at most 5 % of cases at any share.
 *
 * @param {number} count 0…of
 * @param {number} of tries; without any, the interval is 0…1
 * @returns {Proportion} shares of 0…1
 */
export function takeProportion(count, of) {
  return {
    count,
    of,
    low: count === 0 ? 0 : betaQuantile(MISSED / 2, count, of - count + 1),
    high: count === of ? 1 : betaQuantile(1 - MISSED / 2, count + 1, of - count),
  };
}

import { poolBaseline } from '../cell/samples.js';
import { betaQuantile, chiSquareQuantile } from '../distributions.js';
import {
  estimateDifference,
  estimateMean,
  meanOf,
  studentInterval,
  sumOfSquares,
} from '../means.js';
import { describeTrimmedMean, robustDeviation } from '../robust.js';

/** @import { MeanEstimate } from '../means.js' */
/** @import { Arm, Interval, PlacementCalibration, NoiseParts, Proportion, Trial } from '../../formats/types.ts' */

/**
 * Figures of processes that measured the same thing, robust against disturbances of single ones.
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
  const { mean, squaredError } = describeTrimmedMean(values);
  const deviation = robustDeviation(Float64Array.from(values).sort());
  return { mean, deviation, squaredError, freedom: values.length - 1 };
}

/**
 * Mean of the variances of samples, weighted by their degrees of freedom.
 * @type {(samples: SampleDescription[]) => number} 0 without samples
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
 * The sources of noise: the standard deviation between processes of one trial, and that of the
 * baseline's mean between trials beyond what the noise of its processes explains. The baseline is the
 * same code in every trial of a cell, whatever cost the candidate has. Cells are combined by their
 * (winsorized) variances.
 *
 * @param {Trial[]} trials of one mode
 * @param {number | null} batch deviation between batches of one process, where it is known
 * @returns {NoiseParts} on the log scale; a part that cannot be distinguished from 0 is 0
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
 * Variance of the means of a cell, minus the mean of their squared errors.
 * @param {{ cellId: string, mean: number, squaredError: number }[]} stretches one per trial
 */
function takeDriftVariance(stretches) {
  if (stretches.length === 0) return 0;
  const cellIds = [...new Set(stretches.map(({ cellId }) => cellId))];
  const cells = cellIds.flatMap((id) => {
    const own = stretches.filter(({ cellId }) => cellId === id);
    return describeSample(own.map(({ mean }) => mean)) ?? [];
  });
  const error = meanOf(stretches.map(({ squaredError }) => squaredError));
  return Math.max(0, poolVariances(cells) - error);
}

/** Share of intervals that may miss the truth. */
const MISSED = 0.05;

/**
 * The effect of code placement on a cell: the variance of the means of placements, minus the share that
 * the noise of their processes explains. The interval is the chi-square one for the variance of normal
 * means, with that share subtracted at both ends as if it were known exactly, because its error is
 * small beside the other. With few placements it is wide.
 *
 * @param {string} cellId
 * @param {number[][]} logs by placement: log figures of its processes
 * @returns {PlacementCalibration | null} null with fewer than two placements of at least two processes;
 *   deviations are on the log scale, where small ones equal shares
 */
export function takePlacementSpread(cellId, logs) {
  const placements = logs.flatMap((values) => describeSample(values) ?? []);
  if (placements.length < 2) return null;
  const means = placements.map(({ mean }) => mean);
  const error = meanOf(placements.map(({ squaredError }) => squaredError));
  const freedom = placements.length - 1;
  const squares = sumOfSquares(means);
  /** @param {number} variance of means */
  const deviationOf = (variance) => Math.sqrt(Math.max(0, variance - error));
  return {
    cellId,
    placements: placements.length,
    processes: Math.min(...placements.map((placement) => placement.freedom + 1)),
    spread: {
      estimate: deviationOf(squares / freedom),
      low: deviationOf(squares / chiSquareQuantile(1 - MISSED / 2, freedom)),
      high: deviationOf(squares / chiSquareQuantile(MISSED / 2, freedom)),
    },
    range: Math.exp(Math.max(...means) - Math.min(...means)),
    processSpread: Math.sqrt(poolVariances(placements)),
  };
}

/**
 * @param {number[]} logs logarithms of ratios
 * @returns {Interval | null} geometric mean minus one, as shares; null with fewer than two
 */
export function intervalOfMean(logs) {
  return logs.length < 2 ? null : toShares(estimateMean(logs));
}

/**
 * @param {number[]} first logarithms of ratios
 * @param {number[]} second logarithms of ratios
 * @returns {Interval | null} ratio of the geometric means minus one, as shares; null with fewer than
 *   two values in either
 */
export function intervalOfDifference(first, second) {
  return first.length < 2 || second.length < 2 ? null : toShares(estimateDifference(first, second));
}

/** @param {MeanEstimate} estimate on the log scale */
function toShares(estimate) {
  const interval = studentInterval(estimate, MISSED);
  return {
    estimate: Math.expm1(interval.estimate),
    low: Math.expm1(interval.low),
    high: Math.expm1(interval.high),
  };
}

/**
 * The figures of the processes of a trial, by arm.
 *
 * @param {Pick<Trial, 'processed'>} trial
 * @param {number} [untilMs] excludes processes that started at this time of the trial or later
 * @returns {Record<Arm, number[]>} logarithms of nanoseconds per document, in chronological order
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

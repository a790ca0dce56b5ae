import { poolBaseline } from '../collect-cells.js';
import { describeSample, poolVariances } from './describe-sample.js';
import { listLogs } from './trial-logs.js';

/** @import { NoiseParts, Trial } from '../../formats/types.ts' */

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

import { drawIndex } from './random.js';
import { meanOfTrimmed } from './robust.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { RatioInterval } from '../formats/types.ts' */

/** Values drawn for one interval, about; decides how many replicates there are. */
const DRAW_BUDGET = 1_000_000;
const MIN_REPLICATES = 200;
const MAX_REPLICATES = 2000;
/** An arm with more processes is resampled at this size and its deviation scaled to the real one. */
const MAX_RESAMPLED = 400;
/** Two-sided: 95 % of the replicates lie within the interval. */
const LEVEL = 0.05;

/**
 * The figures of one cell: of every process the logarithm of its nanoseconds.
 *
 * @typedef {{ baseline: number[], candidate: number[] }} CellFigures
 */

/**
 * Geometric mean over cells of the ratio of trimmed means, with a percentile interval from a
 * bootstrap: within each arm of each cell processes are drawn with replacement (Davison and Hinkley,
 * "Bootstrap Methods and their Application", 1997, section 3.2). Batches are not drawn again: a process
 * contributes one figure, and how far batches move it is part of how far processes differ.
 *
 * The work is bounded whatever the size of the run. Arms above 400 processes are drawn at 400, their
 * deviations shrunk by √(400 / n); and there are 200 to 2000 replicates, as many as a million draws
 * allow. No correction is made for sequential looks: the mean describes, the verdicts are the cells'.
 *
 * @param {CellFigures[]} cells each arm with at least one process
 * @param {RandomGenerator} random advanced by the call
 * @returns {RatioInterval}
 */
export function bootstrapGeometricMean(cells, random) {
  const arms = cells.flatMap(({ baseline, candidate }) => [
    prepareArm(baseline, -1),
    prepareArm(candidate, 1),
  ]);
  const draws = arms.reduce((sum, { scratch }) => sum + scratch.length, 0);
  const affordable = Math.floor(DRAW_BUDGET / draws);
  const replicates = Math.min(Math.max(affordable, MIN_REPLICATES), MAX_REPLICATES);
  const estimate = arms.reduce((sum, { sign, mean }) => sum + sign * mean, 0) / cells.length;
  const drawn = new Float64Array(replicates);
  for (let replicate = 0; replicate < replicates; replicate++) {
    let deviation = 0;
    for (const arm of arms) deviation += arm.sign * drawDeviation(arm, random);
    drawn[replicate] = estimate + deviation / cells.length;
  }
  drawn.sort();
  return {
    estimate: Math.exp(estimate),
    low: Math.exp(quantileOf(drawn, LEVEL / 2)),
    high: Math.exp(quantileOf(drawn, 1 - LEVEL / 2)),
  };
}

/**
 * @param {number[]} figures
 * @param {1 | -1} sign of the arm in the difference
 */
function prepareArm(figures, sign) {
  const pool = Float64Array.from(figures).sort();
  const size = Math.min(pool.length, MAX_RESAMPLED);
  return {
    sign,
    mean: meanOfTrimmed(pool),
    pool,
    scratch: new Float64Array(size),
    scale: Math.sqrt(size / pool.length),
  };
}

/**
 * How far the trimmed mean of one resampled arm lies from the real one's.
 *
 * @param {ReturnType<typeof prepareArm>} arm
 * @param {RandomGenerator} random
 */
function drawDeviation({ pool, scratch, mean, scale }, random) {
  for (let index = 0; index < scratch.length; index++) {
    scratch[index] = pool[drawIndex(random, pool.length)];
  }
  scratch.sort();
  return (meanOfTrimmed(scratch) - mean) * scale;
}

/**
 * @param {Float64Array} sorted
 * @param {number} share 0…1
 */
function quantileOf(sorted, share) {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

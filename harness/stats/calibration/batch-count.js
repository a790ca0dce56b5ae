import { sumOf } from '../means.js';
import { detectableEffect, takeMedian } from '../robust.js';
import { describeSample, poolVariances } from './noise.js';

/** @import { Measurement, SplitCalibration, Trial } from '../../formats/types.ts' */

/** Numbers of batches to compare. */
const BATCH_COUNTS = [3, 6, 12, 24, 36, 48, 60];
/** Of one test at the end of the budget, two-sided. */
const LEVEL = 0.05;
/** Fewer batches are preferred to a smaller gain than this. */
const NEGLIGIBLE = 1.03;

/**
 * A process that measured more batches than usual.
 *
 * @typedef {object} LongProcess
 * @property {Measurement} measurement
 * @property {number} workerMs from spawn to exit
 */

/**
 * @template {LongProcess} P
 * @typedef {object} SplitQuestion
 * @property {Trial['mode']} mode
 * @property {string} cellId
 * @property {number} budgetSeconds of a comparison of three arms
 * @property {(measurement: Measurement) => number | null} takeFigure nanoseconds per document that a
 *   process contributes
 * @property {(process: P) => unknown} [groupOf] identifies the comparison of a process, because drift
 *   of the host between comparisons is no reason to measure longer or shorter
 */

/**
 * Whether a budget is better spent on more processes or on longer ones: the smallest detectable effect
 * if each process stopped after its first k batches.
 *
 * @template {LongProcess} P
 * @param {P[]} processes of one variant
 * @param {SplitQuestion<P>} question
 * @returns {SplitCalibration | null} null with fewer than two processes, with too few batches, with a
 *   budget for fewer than two processes per arm, and without spread
 */
export function splitBudget(processes, question) {
  const { mode, cellId, budgetSeconds, takeFigure, groupOf = () => null } = question;
  const available = Math.min(
    ...processes.map(({ measurement }) => measurement.batchNsPerDocument.length),
  );
  if (processes.length < 2) return null;
  const groups = processes.map(groupOf);
  const options = BATCH_COUNTS.filter((count) => count <= available).flatMap((batchCount) => {
    const shorter = processes.map((process) => shorten(process, batchCount));
    const figures = shorter.map(({ measurement }) => takeFigure(measurement));
    const spread = spreadWithin(groups, figures);
    const processMs = takeMedian(shorter.map(({ workerMs }) => workerMs));
    // A process without a figure takes as much time.
    const kept = figures.filter((ns) => ns !== null).length / figures.length;
    const detectable = detectableWithin(budgetSeconds * 1000, processMs / kept, spread);
    return detectable === null ? [] : [{ batchCount, spread, processMs, detectable }];
  });
  if (options.length === 0) return null;
  const batchCount = chooseBatchCount(options);
  return { mode, cellId, processes: processes.length, options, batchCount };
}

/**
 * The fewest batches whose detectable effect is within 3 % of the best.
 *
 * @param {{ batchCount: number, detectable: number }[]} options by number of batches, ascending, at
 *   least one
 * @returns {number}
 */
export function chooseBatchCount(options) {
  const least = Math.min(...options.map(({ detectable }) => detectable));
  const good = options.filter(({ detectable }) => detectable <= NEGLIGIBLE * least);
  return good[0].batchCount;
}

/**
 * A process as if it had stopped after its first batches.
 * @type {(process: LongProcess, batchCount: number) => LongProcess}
 */
function shorten({ measurement, workerMs }, batchCount) {
  const { batchNsPerDocument, documentsPerBatch, batchGcMs, referenceLoopNs } = measurement;
  // One reading of the reference loop precedes each batch, and one follows the last.
  const readings = batchCount + 1;
  const leftOutNs =
    sumOf(batchNsPerDocument.slice(batchCount)) * documentsPerBatch +
    sumOf(referenceLoopNs?.slice(readings) ?? []);
  return {
    measurement: {
      ...measurement,
      batchNsPerDocument: batchNsPerDocument.slice(0, batchCount),
      ...(batchGcMs === undefined ? {} : { batchGcMs: batchGcMs.slice(0, batchCount) }),
      ...(referenceLoopNs === undefined
        ? {}
        : { referenceLoopNs: referenceLoopNs.slice(0, readings) }),
    },
    workerMs: workerMs - leftOutNs / 1e6,
  };
}

/**
 * Standard deviation of the figures of processes within groups.
 * @type {(groups: unknown[], figures: (number | null)[]) => number}
 */
function spreadWithin(groups, figures) {
  const samples = [...new Set(groups)].flatMap(
    (group) =>
      describeSample(
        figures.flatMap((ns, index) =>
          ns === null || groups[index] !== group ? [] : Math.log(ns),
        ),
      ) ?? [],
  );
  return Math.sqrt(poolVariances(samples));
}

/**
 * @param {number} budgetMs shared equally by candidate, baseline and control; the candidate is compared
 *   with the other two together
 * @param {number} processMs
 * @param {number} spread between processes, log scale
 * @returns {number | null} as a share; null without time for two processes per arm, or without spread
 */
function detectableWithin(budgetMs, processMs, spread) {
  const processes = budgetMs / processMs / 3;
  if (processes < 2 || spread === 0) return null;
  const standardError = spread * Math.sqrt(1 / processes + 1 / (2 * processes));
  return detectableEffect({ standardError, degreesOfFreedom: 3 * processes - 2 }, LEVEL);
}

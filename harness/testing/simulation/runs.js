import { FORMAT_VERSION } from '../../formats/format-version.js';
import { planJobs } from '../../stats/plan.js';
import { drawNoise } from '../../studies/simulation/noise.js';
import { makeMeasurement } from './measurements.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Cell, Observation, PlannedJob, Question } from '../../formats/types.ts' */
/** @import { NoiseShape } from '../../studies/simulation/noise.js' */

/** Batches of one process differ by half a per cent (decision 0001). */
const BATCH_SPREAD = 0.005;
const BATCHES = 4;
const WALL_MS = BATCHES * 10;
/** Figures of a process other than its times. */
const USUAL = { documentsPerBatch: 1000, cpuUserMs: WALL_MS, wallMs: WALL_MS, gcCount: 1, gcMs: 1 };
/** Life of a worker from spawn to exit. */
const WORKER_MS = 180;

/**
 * One cell of a simulated run.
 *
 * @typedef {object} SimulatedCell
 * @property {Cell} cell
 * @property {number} baselineNs nanoseconds per document
 * @property {number} ratio true ratio candidate / baseline
 * @property {number} [controlRatio] true ratio control / baseline, by default 1
 * @property {number} processes per variant, a multiple of four
 */

/**
 * Simulates the observations of a run, for tests and for timing the analysis: the planned jobs, all of them
 * undisturbed.
 *
 * @param {SimulatedCell[]} cells
 * @param {{ noise: NoiseShape, spread: number, outputDigest: string, rank?: boolean }} settings spread on the log
 *   scale
 * @param {RandomGenerator} random advanced by the call
 * @returns {Observation[]} in the order of the plan
 */
export function simulateObservations(cells, { noise, spread, outputDigest, rank }, random) {
  const question = /** @type {Question} */ (
    /** @type {unknown} */ ({ cells: cells.map(({ cell }) => cell), seed: 1, rank })
  );
  const jobs = cells.flatMap(({ cell, processes }) =>
    planJobs(question, [cell], { from: 0, to: processes }),
  );
  const numbers = new Map(cells.map(({ cell }, index) => [cell.id, index]));
  const numberOf = (/** @type {string} */ id) => /** @type {number} */ (numbers.get(id));
  // Round after round, as a run does.
  const ordered = jobs.toSorted(
    (a, b) =>
      a.block - b.block || numberOf(a.cellId) - numberOf(b.cellId) || a.position - b.position,
  );
  return ordered.map((job, index) => {
    const { baselineNs, ratio, controlRatio = 1 } = cells[numberOf(job.cellId)];
    const ratios = { baseline: 1, candidate: ratio, control: controlRatio };
    const ns = baselineNs * ratios[job.arm];
    return simulateJob({ job, index, ns, noise, spread, outputDigest }, random);
  });
}

/**
 * Simulates the jobs that take the cells of a question, with whatever candidates share their baseline, from one number
 * of processes per variant to another.
 *
 * @param {Question} question
 * @param {{ from: number, to: number, cells: Cell[] }} wanted
 * @param {(job: PlannedJob) => number} timeNs true time of the job per document
 * @param {{ noise: NoiseShape, spread: number, outputDigest: string }} settings spread on the log scale
 * @param {RandomGenerator} random advanced by the call
 * @returns {Observation[]} in the order of the plan
 */
export function simulateQuestion(question, { from, to, cells }, timeNs, settings, random) {
  return planJobs(question, cells, { from, to }).map((job, index) =>
    simulateJob({ job, index, ns: timeNs(job), ...settings }, random),
  );
}

/**
 * @param {{ job: PlannedJob, index: number, ns: number, noise: NoiseShape, spread: number, outputDigest: string }} truth
 * @param {RandomGenerator} random advanced by the call
 * @returns {Observation}
 */
function simulateJob({ job, index, ns, ...settings }, random) {
  const { noise, spread, outputDigest } = settings;
  const process = ns * Math.exp(spread * drawNoise(noise, random));
  const batchNsPerDocument = Array.from(
    { length: BATCHES },
    () => process * Math.exp(BATCH_SPREAD * drawNoise('normal', random)),
  );
  return {
    formatVersion: FORMAT_VERSION,
    ...job,
    attempt: 1,
    startedAtMs: index * WORKER_MS,
    workerMs: WORKER_MS,
    outcome: 'done',
    outputDigest,
    measurement: makeMeasurement({ ...USUAL, batchNsPerDocument }),
  };
}

import { FORMAT_VERSION } from '../formats/format-version.js';
import { ARMS, PROCESSES_PER_BLOCK } from './plan.js';
import { drawNoise } from './power.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Cell, Observation } from '../formats/types.ts' */
/** @import { NoiseShape } from './power.js' */

/** Batches of one process differ by half a per cent (FACTS "Noise"). */
const BATCH_SPREAD = 0.005;
const BATCHES = 4;
const BATCH_MS = 10;
/** Life of a worker from spawn to exit. */
const WORKER_MS = 180;

/**
 * One cell of a made-up run.
 *
 * @typedef {object} SimulatedCell
 * @property {Cell} cell
 * @property {number} baselineNs nanoseconds per document
 * @property {number} ratio true ratio candidate / baseline
 * @property {number} [controlRatio] true ratio control / baseline, 1 unless told
 * @property {number} processes a side
 */

/**
 * Observations of a run that never took place, for tests and for timing the analysis: mirrored
 * blocks of undisturbed jobs, each as the worker reports one.
 *
 * @param {SimulatedCell[]} cells
 * @param {{ noise: NoiseShape, spread: number, outputDigest: string }} settings spread on the log
 *   scale
 * @param {RandomGenerator} random advanced by the call
 * @returns {Observation[]} in the order of the plan
 */
export function simulateObservations(cells, { noise, spread, outputDigest }, random) {
  /** @type {Observation[]} */
  const observations = [];
  const mirrored = [...ARMS, ...[...ARMS].reverse()];
  const mostBlocks = Math.max(...cells.map(({ processes }) => processes)) / PROCESSES_PER_BLOCK;
  for (let block = 0; block < mostBlocks; block++) {
    for (const { cell, baselineNs, ratio, controlRatio = 1, processes } of cells) {
      if (block >= processes / PROCESSES_PER_BLOCK) continue;
      const ratios = { baseline: 1, candidate: ratio, control: controlRatio };
      mirrored.forEach((arm, position) => {
        const process = baselineNs * ratios[arm] * Math.exp(spread * drawNoise(noise, random));
        const batchNsPerDocument = Array.from(
          { length: BATCHES },
          () => process * Math.exp(BATCH_SPREAD * drawNoise('normal', random)),
        );
        observations.push({
          formatVersion: FORMAT_VERSION,
          jobId: `${cell.id}/${String(block).padStart(3, '0')}/${position}/${arm}`,
          cellId: cell.id,
          arm,
          block,
          position,
          attempt: 1,
          startedAtMs: observations.length * WORKER_MS,
          workerMs: WORKER_MS,
          outcome: 'done',
          outputDigest,
          measurement: measurementOf(batchNsPerDocument),
        });
      });
    }
  }
  return observations;
}

/**
 * @param {number[]} batchNsPerDocument
 * @returns {import('../formats/types.ts').Measurement}
 */
function measurementOf(batchNsPerDocument) {
  const wallMs = BATCHES * BATCH_MS;
  return {
    batchNsPerDocument,
    documentsPerBatch: 1000,
    warmUp: { ms: 80, calls: 5000, settled: true },
    cpuUserMs: wallMs,
    cpuSystemMs: 0,
    wallMs,
    gcCount: 1,
    gcMs: 1,
    voluntaryContextSwitches: 0,
    involuntaryContextSwitches: 0,
    autogroupRaised: false,
  };
}

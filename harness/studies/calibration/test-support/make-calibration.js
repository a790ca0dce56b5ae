import { recordedRun } from '../../../../reports/fixtures/runs.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { seedGenerator } from '../../../stats/random.js';
import { makeWorld, simulateTrials } from '../../../testing/simulation/trials.js';
import { summarizeTrials } from '../../../stats/calibration/trials.js';

/** @import { Calibration, InjectedCost, SplitCalibration, Trial } from '../../../formats/types.ts' */

/** The host of a recorded run, with another processor. */
const environment = {
  ...recordedRun('faster').manifest.environment,
  node: '20.20.2',
  kernel: '6.1.0-13-amd64',
  cpuModel: 'Example CPU @ 2.80GHz',
  cpuCount: 2,
};

/**
 * A simulated calibration with its trials.
 * @type {() => { calibration: Calibration, trials: Trial[] }}
 */
export function makeCalibration() {
  const injected = [0, 0.02];
  const world = makeWorld({ injected, rule: { alpha: 0.05, minimumEffect: 0.03, looks: [12] } });
  const trials = simulateTrials(world, 48, seedGenerator(21));
  const costs = world.cellIds.map(makeCost);
  return { calibration: { ...makeFrame(world), costs, ...analyse(trials, costs) }, trials };
}

/**
 * @param {Trial[]} trials
 * @param {InjectedCost[]} costs
 * @returns {Pick<Calibration, 'modes' | 'splits' | 'placements' | 'warnings'>}
 */
function analyse(trials, costs) {
  return {
    modes: [summarizeTrials(trials, { mode: 'default', costs, batchDeviation: 0.006 })],
    splits: [makeSplit([0.024, 0.02, 0.021]), makeSplit([0.012, 0.0115, 0.0117])],
    placements: [
      {
        cellId: 'deserialize deep',
        placements: 8,
        processes: 12,
        spread: { estimate: 0.031, low: 0.018, high: 0.063 },
        range: 1.09,
        processSpread: 0.028,
      },
    ],
    warnings: [],
  };
}

/**
 * @param {ReturnType<typeof makeWorld>} world
 * @returns {Omit<Calibration, 'costs' | 'modes' | 'splits' | 'placements' | 'warnings'>}
 */
function makeFrame({ cellIds, rule, budgetSeconds }) {
  return {
    formatVersion: FORMAT_VERSION,
    id: 'calibration-1',
    createdAt: '2026-02-03T04:05:06.000Z',
    command: 'calibrate --for 5m --seed 21',
    seed: 21,
    ended: 'complete',
    wallMs: 300_000,
    workerMs: 280_000,
    assay: { version: '1.0.0', revision: null, dirty: false },
    environment,
    hostNoise: { stealShare: 0.002, othersShare: 0.04, throttledMs: null },
    settings: { warmUpMs: 80, warmUpCalls: 5000, maxWarmUpMs: 500, batchCount: 4, batchMs: 10 },
    variant: 'generator',
    cells: cellIds.map((id) => {
      const [operation, corpus] = id.split(' ');
      return { id, operation, corpus };
    }),
    minimumEffect: rule.minimumEffect,
    alpha: rule.alpha,
    looks: rule.looks,
    budgetSeconds,
  };
}

/** @type {(cellId: string) => InjectedCost} */
function makeCost(cellId) {
  const ratio = { estimate: 1.0204, low: 1.0197, high: 1.0211 };
  const alone = { estimate: 1.021, low: 1.018, high: 1.024 };
  return { mode: 'default', cellId, injected: 0.02, rounds: 41, ratio, alone, processes: 12 };
}

/**
 * @param {number[]} detectable by number of batches
 * @returns {SplitCalibration}
 */
function makeSplit(detectable) {
  const options = detectable.map((effect, index) => ({
    batchCount: 3 * (index + 1),
    spread: 0.03,
    processMs: 150 + 30 * index,
    detectable: effect,
  }));
  return { mode: 'default', cellId: 'serialize flat', processes: 40, options, batchCount: 6 };
}

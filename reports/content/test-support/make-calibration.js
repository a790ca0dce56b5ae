/** Made-up calibrations with the figures that a real one would have. Used by tests only. */

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Calibration, Cell, InjectedCost, ModeCalibration, PowerCurve, SplitCalibration } from '../../../harness/formats/types.ts' */

import { takeProportion } from '../../../harness/stats/calibration/noise.js';
import { FORMAT_VERSION } from '../../../harness/formats/format-version.js';
import { normalUpperTail } from '../../../harness/stats/distributions.js';
import { drawNormal } from '../../../harness/studies/simulation/noise.js';
import { drawUniform, seedGenerator } from '../../../harness/stats/random.js';
import { makeManifest } from '../../fixtures/build.js';

const COSTS = [0.005, 0.01, 0.02, 0.05, 0.1];
const BUDGETS = [5, 10, 20, 40];
const CORPORA = ['flat', 'deep'];
/** Processes per arm in a second. */
const PROCESS_RATE = 1.6;
const CRITICAL = 1.96;
/** Of the standard normal distribution, for 80 %. */
const POWER_QUANTILE = 0.8416;

/** @type {Cell[]} */
const CELLS = CORPORA.map((corpus) => ({
  id: `serialize ${corpus}`,
  operation: 'serialize',
  corpus,
}));

/** @type {(changes?: Partial<Calibration>, seed?: number) => Calibration} */
export function makeCalibration(changes = {}, seed = 7) {
  const random = seedGenerator(seed);
  const { assay, environment, settings } = makeManifest();
  const costs = /** @type {const} */ (['default', 'screen']).flatMap((mode) =>
    CELLS.flatMap(({ id }) => COSTS.map((injected) => makeCost(mode, id, injected, random))),
  );
  return {
    formatVersion: FORMAT_VERSION,
    id: '20260102-030405-calibrate-generator',
    createdAt: '2026-01-02T03:04:05.678Z',
    command: 'just calibrate --for 2h --seed 7',
    seed: 7,
    ended: 'complete',
    wallMs: 7_200_000,
    workerMs: 6_900_000,
    assay,
    environment,
    hostNoise: { stealShare: 0.004, othersShare: 0.06, throttledMs: null },
    settings,
    variant: 'linked-list',
    cells: CELLS,
    minimumEffect: 0.03,
    alpha: 0.05,
    looks: [12, 24, 48, 96],
    earlyLook: 8,
    budgetSeconds: 20,
    costs,
    modes: [makeMode('default', 0.018, random), makeMode('screen', 0.004, random)],
    splits: CELLS.map(({ id }) => makeSplit(id)),
    placements: CELLS.map(({ id }, index) => ({
      cellId: id,
      placements: 16,
      processes: 12,
      spread: {
        estimate: 0.004 + 0.02 * index,
        low: 0.002 + 0.012 * index,
        high: 0.007 + 0.03 * index,
      },
      range: 1.014 + 0.066 * index,
      processSpread: 0.017,
    })),
    warnings: [
      { number: 1, kind: 'others-share', text: 'Other processes used 6 % of the CPU time.' },
    ],
    ...changes,
  };
}

/**
 * @param {ModeCalibration['mode']} mode
 * @param {number} deviation between processes, log scale
 * @param {RandomGenerator} random advanced by the call
 * @returns {ModeCalibration}
 */
function makeMode(mode, deviation, random) {
  const perCell = 106;
  const wrong = CELLS.map(() => Math.floor(drawUniform(random) * 3));
  const all = perCell * CELLS.length;
  const different = wrong.reduce((sum, count) => sum + count, 0);
  return {
    mode,
    falsePositives: takeProportion(different, all),
    byCell: Object.fromEntries(
      CELLS.map(({ id }, index) => [id, takeProportion(wrong[index] ?? 0, perCell)]),
    ),
    verdicts: {
      faster: 0,
      slower: different,
      equivalent: all - different - 9,
      inconclusive: 8,
      refused: 0,
      untrusted: 1,
    },
    covered: takeProportion(all - 7, all),
    points: [0, ...COSTS].map((injected) => {
      const of = injected === 0 ? all : 40;
      const found = Math.round(of * powerOf(injected, deviation, 20));
      const error = 0.0004 * drawNormal(random);
      return {
        injected,
        found: takeProportion(injected === 0 ? different : found, of),
        wrongSign: takeProportion(0, of),
        bias: { estimate: error, low: error - 0.0011, high: error + 0.0011 },
        covered: takeProportion(of - 1, of),
        processes: 21.4,
      };
    }),
    curves: BUDGETS.map((seconds) => makeCurve(seconds, deviation, random)),
    noise: { process: deviation, batch: deviation / 4, drift: deviation / 6 },
  };
}

/**
 * @param {number} budgetSeconds
 * @param {number} deviation
 * @param {RandomGenerator} random advanced by the call
 * @returns {PowerCurve}
 */
function makeCurve(budgetSeconds, deviation, random) {
  const effects = Array.from({ length: 60 }, (_, index) => 0.001 * 300 ** (index / 59));
  return {
    budgetSeconds,
    comparisons: 212,
    processes: PROCESS_RATE * budgetSeconds,
    falsePositives: takeProportion(8 + Math.floor(drawUniform(random) * 6), 212),
    points: effects.map((effect) => ({ effect, power: powerOf(effect, deviation, budgetSeconds) })),
    detectable: Math.expm1((CRITICAL + POWER_QUANTILE) * errorOf(deviation, budgetSeconds)),
  };
}

/**
 * Of a candidate against baseline and control together.
 * @type {(deviation: number, budgetSeconds: number) => number} standard error, log scale
 */
function errorOf(deviation, budgetSeconds) {
  return deviation * Math.sqrt(1.5 / (PROCESS_RATE * budgetSeconds));
}

/** @type {(effect: number, deviation: number, budgetSeconds: number) => number} */
function powerOf(effect, deviation, budgetSeconds) {
  return normalUpperTail(CRITICAL - Math.log1p(effect) / errorOf(deviation, budgetSeconds));
}

/**
 * @param {InjectedCost['mode']} mode
 * @param {string} cellId
 * @param {number} injected
 * @param {RandomGenerator} random advanced by the call
 * @returns {InjectedCost}
 */
function makeCost(mode, cellId, injected, random) {
  const estimate = 1 + injected * (1 + 0.02 * drawNormal(random));
  return {
    mode,
    cellId,
    injected,
    rounds: Math.round(injected * 24_000),
    ratio: { estimate, low: estimate - 0.0004, high: estimate + 0.0004 },
    alone: { estimate: estimate + 0.001, low: estimate - 0.004, high: estimate + 0.006 },
    processes: 40,
  };
}

/** @type {(cellId: string) => SplitCalibration} */
function makeSplit(cellId) {
  const options = [3, 6, 9, 12, 16].map((batchCount) => ({
    batchCount,
    spread: 0.018 + 0.006 / batchCount,
    processMs: 190 + 10 * batchCount,
    detectable: 0.018 + 0.008 / batchCount + 0.0003 * batchCount,
  }));
  return { mode: 'default', cellId, processes: 60, options, batchCount: 6 };
}

import { compareRun } from '../compare.js';
import { studentCritical } from '../distributions.js';
import { listFigures } from '../interference.js';
import { ARMS, PROCESSES_PER_BLOCK } from '../plan.js';
import { takePowerCurves } from './power-curve.js';
import { splitNoise, takeProportion } from './samples.js';
import { forEachVerdict, isDirection, isFaster, isSlower } from '../verdicts.js';

/** @import { InjectedCost, Interval, ModeCalibration, Observation, PowerPoint, Proportion, Question, Trial } from '../../formats/types.ts' */

/** Share of intervals on a bias that may miss it. */
const MISSED = 0.05;

/**
 * What is known of a mode besides its trials.
 *
 * @typedef {object} ModeContext
 * @property {Trial['mode']} mode
 * @property {InjectedCost[]} costs as they were verified, of any mode
 * @property {number | null} batchDeviation between batches of one process, log scale
 */

/**
 * The errors of the rule of `compare` in one mode, from comparisons whose truth is known.
 *
 * @param {Trial[]} trials of any mode
 * @param {ModeContext} context
 * @returns {ModeCalibration}
 */
export function summarizeTrials(trials, { mode, costs, batchDeviation }) {
  const own = trials.filter((trial) => trial.mode === mode);
  const same = own.filter(({ injected }) => injected === 0);
  const injected = [...new Set(own.map((trial) => trial.injected))].sort((a, b) => a - b);
  return {
    mode,
    falsePositives: countWhere(same, ({ verdict }) => isDirection(verdict)),
    byCell: summarizeByCell(same),
    verdicts: countVerdicts(same),
    covered: countCovered(same, costs),
    points: injected.map((share) => {
      const alike = own.filter((trial) => trial.injected === share);
      return takePoint(share, alike, costs);
    }),
    curves: takePowerCurves(own),
    noise: splitNoise(own, batchDeviation),
  };
}

/**
 * Ratio that a faultless instrument would report of a trial.
 *
 * @param {Pick<Trial, 'mode' | 'cellId' | 'injected'>} trial
 * @param {InjectedCost[]} costs
 * @returns {number} as verified, where that was done; else by the nominal share
 */
export function findTruth({ mode, cellId, injected }, costs) {
  const cost = costs.find(
    (each) => each.mode === mode && each.cellId === cellId && each.injected === injected,
  );
  return injected === 0 || cost === undefined ? 1 + injected : cost.ratio.estimate;
}

/** @param {Trial[]} trials */
function summarizeByCell(trials) {
  /** @type {Record<string, Proportion>} */
  const byCell = {};
  for (const id of new Set(trials.map(({ cellId }) => cellId))) {
    const alike = trials.filter(({ cellId }) => cellId === id);
    byCell[id] = countWhere(alike, ({ verdict }) => isDirection(verdict));
  }
  return byCell;
}

/** @param {Trial[]} trials */
function countVerdicts(trials) {
  const counts = forEachVerdict(() => 0);
  for (const { verdict } of trials) counts[verdict] += 1;
  return counts;
}

/**
 * @param {number} injected
 * @param {Trial[]} trials with this cost
 * @param {InjectedCost[]} costs
 * @returns {PowerPoint}
 */
function takePoint(injected, trials, costs) {
  const processes = trials.reduce((sum, trial) => sum + trial.processes, 0);
  return {
    injected,
    found: countWhere(trials, ({ verdict }) => isSlower(verdict)),
    wrongSign: countWhere(trials, ({ verdict }) => isFaster(verdict)),
    bias: takeBias(trials, costs),
    covered: countCovered(trials, costs),
    processes: processes / trials.length,
  };
}

/**
 * How many intervals hold the truth, of the trials that came to one.
 *
 * @param {Trial[]} trials
 * @param {InjectedCost[]} costs
 */
function countCovered(trials, costs) {
  const measured = trials.filter(({ ratio }) => ratio !== null);
  return countWhere(measured, (trial) => {
    const truth = findTruth(trial, costs);
    return trial.ratio !== null && trial.ratio.low <= truth && truth <= trial.ratio.high;
  });
}

/**
 * Mean of estimate over truth, minus one, with its t interval. Taken on the log scale, and of all
 * trials: those that stopped early because they saw much are part of how the instrument errs.
 *
 * @param {Trial[]} trials
 * @param {InjectedCost[]} costs
 * @returns {Interval | null} null with fewer than two figures
 */
function takeBias(trials, costs) {
  const errors = trials.flatMap((trial) => {
    const { ratio } = trial;
    return ratio === null ? [] : Math.log(ratio.estimate / findTruth(trial, costs));
  });
  if (errors.length < 2) return null;
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const squares = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0);
  const freedom = errors.length - 1;
  const half = studentCritical(MISSED, freedom) * Math.sqrt(squares / freedom / errors.length);
  return {
    estimate: Math.expm1(mean),
    low: Math.expm1(mean - half),
    high: Math.expm1(mean + half),
  };
}

/**
 * @param {Trial[]} trials
 * @param {(trial: Trial) => boolean} test
 */
function countWhere(trials, test) {
  return takeProportion(trials.filter(test).length, trials.length);
}

/**
 * What `compare` makes of the observations of a trial: the verdict at the look at which it would have
 * stopped, whether the trial went on or not.
 *
 * @param {Question} question of one cell, with the looks of `compare`
 * @param {Observation[]} observations
 * @param {Record<string, string>} expectedDigests by cell id
 * @returns {Pick<Trial, 'verdict' | 'ratio' | 'processes' | 'processed'>}
 */
export function judgeTrial(question, observations, expectedDigests) {
  const [{ id }] = question.cells;
  const stopped = question.looks
    .map((look) => upTo(observations, look))
    .find((seen, index) => {
      const isReached = countJobs(seen) === question.looks[index] * ARMS.length;
      return isReached && compare(seen).decided[id];
    });
  const [{ verdict, effect, processes }] = compare(stopped ?? observations).cells;
  return {
    verdict,
    ratio: effect?.ratio ?? null,
    processes: processes.candidate,
    processed: listProcesses(question, observations),
  };

  /** @param {Observation[]} seen */
  function compare(seen) {
    return compareRun({ question, observations: seen, expectedDigests });
  }
}

/** @param {Observation[]} observations */
function countJobs(observations) {
  return new Set(observations.map(({ jobId }) => jobId)).size;
}

/**
 * @param {Observation[]} observations
 * @param {number} processes a side
 */
function upTo(observations, processes) {
  return observations.filter(({ block }) => block < processes / PROCESSES_PER_BLOCK);
}

/**
 * @param {Question} question
 * @param {Observation[]} observations
 * @returns {Trial['processed']}
 */
function listProcesses(question, observations) {
  const figures = listFigures(observations, question).sort(
    (a, b) => a.observation.startedAtMs - b.observation.startedAtMs,
  );
  const firstMs = figures[0]?.observation.startedAtMs ?? 0;
  return figures.map(({ observation: { arm, startedAtMs, workerMs }, ns }) => ({
    arm,
    startedAtMs: startedAtMs - firstMs,
    workerMs,
    ns,
  }));
}

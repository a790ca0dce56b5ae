import { findCalmPace, listFigures, takeFigure } from '../interference.js';
import { describeSample, poolVariances, takeLayoutSpread } from './samples.js';
import { splitBudget } from './split-budget.js';
import { summarizeTrials } from './trials.js';

/** @import { Calibration, LayoutObservation, Observation, ObservationDone, SplitCalibration, Trial, Warning } from '../../formats/types.ts' */

/** With fewer A/A comparisons the interval of their rate is wider than what it is to tell. */
const FEW_TRIALS = 40;
/** Processes of a cell that the split is taken from. */
const MOST_SPLIT_PROCESSES = 2_000;

/**
 * Everything that a calibration says, from what it measured; deterministic.
 *
 * @param {object} measured
 * @param {Calibration} measured.head what is known before and beside the trials; its results are
 *   passed over
 * @param {Trial[]} measured.trials
 * @param {Observation[]} measured.observations of the trials
 * @param {LayoutObservation[]} measured.layoutObservations
 * @returns {Calibration}
 */
export function analyseCalibration({ head, trials, observations, layoutObservations }) {
  const modes = /** @type {const} */ (['default', 'screen']).filter((mode) =>
    trials.some((trial) => trial.mode === mode),
  );
  const byMode = groupByMode(trials, observations);
  const { costs, looks, cells, budgetSeconds } = head;
  const splits = modes.flatMap((mode) =>
    cells.flatMap(({ id }) => {
      const own = byMode[mode].filter(({ cellId }) => cellId === id);
      return splitCell(own, { mode, cellId: id, budgetSeconds, looks }) ?? [];
    }),
  );
  const results = {
    modes: modes.map((mode) =>
      summarizeTrials(trials, { mode, costs, batchDeviation: takeBatchDeviation(byMode[mode]) }),
    ),
    splits,
    layouts: cells.flatMap(({ id }) => takeLayouts(id, layoutObservations) ?? []),
  };
  return { ...head, ...results, warnings: noteOf({ ...head, ...results }) };
}

/**
 * @param {Trial[]} trials
 * @param {Observation[]} observations
 * @returns {Record<Trial['mode'], ObservationDone[]>} those that measured the code without any cost
 */
function groupByMode(trials, observations) {
  const byNumber = new Map(trials.map((trial) => [String(trial.number), trial]));
  /** @type {Record<Trial['mode'], ObservationDone[]>} */
  const byMode = { default: [], screen: [] };
  for (const observation of observations) {
    const trial = byNumber.get(observation.jobId.split('/')[0]);
    if (trial === undefined || observation.outcome !== 'done') continue;
    if (observation.arm === 'candidate' && trial.injected > 0) continue;
    byMode[trial.mode].push(observation);
  }
  return byMode;
}

/**
 * @param {ObservationDone[]} observations of one cell and mode
 * @param {Pick<SplitCalibration, 'mode' | 'cellId'> & Pick<Calibration, 'budgetSeconds' | 'looks'>} place
 */
function splitCell(observations, { mode, cellId, budgetSeconds, looks }) {
  const pace = findCalmPace(observations, looks);
  return splitBudget(observations.slice(0, MOST_SPLIT_PROCESSES), {
    mode,
    cellId,
    budgetSeconds,
    takeFigure: (measurement) => takeFigure(measurement, pace),
    groupOf: ({ jobId }) => jobId.split('/')[0],
  });
}

/**
 * @param {ObservationDone[]} observations
 * @returns {number | null} standard deviation between batches of one process, log scale
 */
function takeBatchDeviation(observations) {
  const samples = observations.flatMap(
    ({ measurement }) => describeSample(measurement.batchNsPerDocument.map(Math.log)) ?? [],
  );
  return samples.length === 0 ? null : Math.sqrt(poolVariances(samples));
}

/**
 * @param {string} id of the cell
 * @param {LayoutObservation[]} observations
 */
function takeLayouts(id, observations) {
  const own = observations.filter(({ cellId }) => cellId === id);
  const figures = listFigures(own, { looks: [Infinity], baseline: '', candidate: '' });
  const numbers = [...new Set(own.map(({ layout }) => layout))].sort((a, b) => a - b);
  return takeLayoutSpread(
    id,
    numbers.map((number) =>
      figures
        .filter(({ observation }) => observation.layout === number)
        .map(({ ns }) => Math.log(ns)),
    ),
  );
}

/**
 * @param {Pick<Calibration, 'ended' | 'modes'>} calibration
 * @returns {Warning[]}
 */
function noteOf({ ended, modes }) {
  const notes = [];
  if (ended === 'interrupted') {
    notes.push({
      kind: 'interrupted',
      text: 'Interrupted before its time was over; --resume goes on.',
    });
  }
  for (const { mode, falsePositives } of modes) {
    if (falsePositives.of >= FEW_TRIALS) continue;
    const told =
      falsePositives.of === 0
        ? `No A/A comparison was finished in ${mode} mode, so that its errors are not known.`
        : `A/A comparisons in ${mode} mode: ${falsePositives.of} so far, so that the interval of their rate says more than the rate.`;
    notes.push({ kind: 'few-trials', text: `${told} --resume brings more.` });
  }
  return notes.map((note, index) => ({ number: index + 1, ...note }));
}

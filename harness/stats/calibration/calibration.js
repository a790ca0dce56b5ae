import { SCHEDULE_NAMES, askForSchedule } from '../schedule.js';
import { undisturbedSpeed, listFigures, takeFigure } from '../interference.js';
import { drawIndex, seedGenerator, shuffle } from '../random.js';
import { splitBudget } from './batch-count.js';
import { describeSample, poolVariances, takePlacementSpread } from './noise.js';
import { describeConditions, isUnder, summarizeTrials } from './trials.js';

/** @import { Calibration, CalibrationPart, Cell, Conditions, CostKind, PlacementObservation, Observation, ObservationDone, SplitCalibration, Trial, Warning } from '../../formats/types.ts' */
/** @import { Schedule } from '../schedule.js' */

/** With fewer A/A comparisons the interval of their rate is too wide to be useful. */
const FEW_TRIALS = 40;
/** Most processes of a cell that the number of batches is derived from. */
const MAX_SPLIT_PROCESSES = 2_000;

const MODES = /** @type {const} */ (['default', 'screen']);
/** @type {Conditions[]} one job at a time first */
const CONDITIONS = MODES.flatMap((mode) =>
  SCHEDULE_NAMES.map((name) => ({ mode, ...askForSchedule(name) })),
);

/**
 * The results of a calibration, from what it measured; deterministic.
 *
 * @param {object} measured
 * @param {Calibration} measured.head everything but the results, which are ignored
 * @param {Trial[]} measured.trials
 * @param {Observation[]} measured.observations of the trials
 * @param {PlacementObservation[]} measured.placementObservations
 * @returns {Calibration}
 */
export function analyseCalibration({ head, trials, observations, placementObservations }) {
  const measured = CONDITIONS.filter((each) => trials.some((trial) => isUnder(trial, each))).map(
    (conditions) => ({
      conditions,
      plain: listPlain(
        trials.filter((trial) => isUnder(trial, conditions)),
        observations,
      ),
    }),
  );
  const { costs, looks, cells, budgetSeconds } = head;
  const splits = MODES.flatMap((mode) => {
    // Its model is that of independent processes, so one job at a time, if there are such trials.
    const first = measured.find(({ conditions }) => conditions.mode === mode);
    return cells.flatMap(({ id }) => {
      const own = first?.plain.filter(({ cellId }) => cellId === id) ?? [];
      return splitCell(own, { mode, cellId: id, budgetSeconds, looks }) ?? [];
    });
  });
  const results = {
    modes: measured.map(({ conditions, plain }) =>
      summarizeTrials(trials, { ...conditions, costs, batchDeviation: takeBatchDeviation(plain) }),
    ),
    splits,
    placements: cells.flatMap(({ id }) => takePlacements(id, placementObservations) ?? []),
  };
  return { ...head, ...results, warnings: noteOf({ ...head, ...results }) };
}

/**
 * Lists the observations that measured code without an injected cost.
 * @type {(trials: Trial[], observations: Observation[]) => ObservationDone[]}
 */
function listPlain(trials, observations) {
  const byNumber = new Map(trials.map((trial) => [String(trial.number), trial]));
  return observations.flatMap((observation) => {
    const trial = byNumber.get(observation.id.split('/')[0]);
    if (trial === undefined || observation.outcome !== 'done') return [];
    const isPlain = trial.injected === 0 || observation.arm !== 'candidate';
    // The baseline of a cost in allocation makes some garbage.
    return isPlain && trial.cost === undefined ? observation : [];
  });
}

/**
 * @param {ObservationDone[]} observations of one cell and mode
 * @param {Pick<SplitCalibration, 'mode' | 'cellId'> & Pick<Calibration, 'budgetSeconds' | 'looks'>} place
 */
function splitCell(observations, { mode, cellId, budgetSeconds, looks }) {
  const speed = undisturbedSpeed(observations, looks);
  return splitBudget(observations.slice(0, MAX_SPLIT_PROCESSES), {
    mode,
    cellId,
    budgetSeconds,
    takeFigure: (measurement) => takeFigure(measurement, speed),
    groupOf: ({ id }) => id.split('/')[0],
  });
}

/** Standard deviation between batches of one process, log scale. @type {(observations: ObservationDone[]) => number | null} */
function takeBatchDeviation(observations) {
  const samples = observations.flatMap(
    ({ measurement }) => describeSample(measurement.batchNsPerDocument.map(Math.log)) ?? [],
  );
  return samples.length === 0 ? null : Math.sqrt(poolVariances(samples));
}

/** @param {string} id of the cell @param {PlacementObservation[]} observations */
function takePlacements(id, observations) {
  const own = observations.filter(({ cellId }) => cellId === id);
  const figures = listFigures(own, { looks: [Infinity], baseline: '', candidate: '', cores: 1 });
  const numbers = [...new Set(own.map(({ placement }) => placement))].sort((a, b) => a - b);
  return takePlacementSpread(
    id,
    numbers.map((number) =>
      figures
        .filter(({ observation }) => observation.placement === number)
        .map(({ ns }) => Math.log(ns)),
    ),
  );
}

/** @type {(calibration: Pick<Calibration, 'ended' | 'modes'>) => Warning[]} */
function noteOf({ ended, modes }) {
  const notes = [];
  if (ended === 'interrupted') {
    notes.push({
      kind: 'interrupted',
      text: 'Interrupted before the end of its time; resume it with --resume.',
    });
  }
  for (const { falsePositives, ...conditions } of modes) {
    if (falsePositives.of >= FEW_TRIALS) continue;
    const where = describeConditions(conditions);
    const text =
      falsePositives.of === 0
        ? `No A/A comparison finished in ${where}, so its error rate is unknown.`
        : `A/A comparisons in ${where}: ${falsePositives.of} so far, too few for a precise error rate; see its interval.`;
    notes.push({ kind: 'few-trials', text: `${text} Run more with --resume.` });
  }
  return notes.map((note, index) => ({ number: index + 1, ...note }));
}

/** @typedef {Pick<Trial, 'number' | 'mode' | 'schedule' | 'cellId' | 'injected' | 'cost' | 'isFull' | 'seed'>} PlannedTrial */

/**
 * Extra costs that are injected, as shares. Those in allocation show whether heavy allocation of one arm
 * biases a ratio, so they are large.
 *
 * @type {Record<CostKind, readonly number[]>}
 */
export const INJECTED_COSTS = {
  arithmetic: [0.005, 0.01, 0.02, 0.05, 0.1],
  allocation: [0.1, 0.5],
};

/** A/A comparisons per cell and round that stop when they are decided. */
const BLANKS = { default: 5, screen: 1 };

const SEEDS = 2 ** 32;

/**
 * The endless series of trials of a calibration. In a round each cell has, in each mode and schedule: A/A
 * comparisons that stop where `compare` stops; one that uses up its budget, for power curves; and one
 * with each injected cost. A round runs in random order, so that disturbances affect all alike.
 *
 * @param {object} settings
 * @param {number} settings.seed
 * @param {Cell[]} settings.cells
 * @param {Trial['mode'][]} settings.modes
 * @param {readonly Schedule['name'][]} settings.schedules
 * @param {readonly CostKind[]} settings.costs kinds of cost
 * @param {readonly CalibrationPart[]} settings.parts
 * @param {number} [settings.from] number of the first trial; earlier ones have run
 * @returns {Generator<PlannedTrial, void>} ends at once where no trials are requested
 */
export function* planCalibration({ seed, cells, modes, schedules, costs, parts, from = 0 }) {
  const random = seedGenerator(seed);
  const wantsBlanks = parts.includes('false-positives');
  const wantsPower = parts.includes('power');
  if (!wantsBlanks && !wantsPower) return;
  const conditions = modes.flatMap((mode) =>
    schedules.map((name) => ({ mode, ...askForSchedule(name) })),
  );
  const injections = costs.flatMap((cost) =>
    INJECTED_COSTS[cost].map((injected) => ({
      injected,
      ...(cost === 'allocation' ? { cost } : {}),
    })),
  );
  for (let number = 0; ;) {
    const round = conditions.flatMap((each) =>
      cells.flatMap(({ id: cellId }) => {
        const blank = { ...each, cellId, injected: 0, isFull: false };
        const blanks = wantsBlanks ? Array(BLANKS[each.mode]).fill(blank) : [];
        const costly = wantsPower
          ? injections.map((injection) => ({ ...blank, ...injection }))
          : [];
        return [...blanks, { ...blank, isFull: true }, ...costly];
      }),
    );
    for (const trial of shuffle(round, random)) {
      const planned = { number, ...trial, seed: drawIndex(random, SEEDS) };
      if (number >= from) yield planned;
      number++;
    }
  }
}

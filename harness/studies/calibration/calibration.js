import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { compareHostCounters, joinHostNoise, readHostCounters } from '../../host/counters.js';
import { describeMeasured, makeMeasureJob } from '../../run/passes/timing.js';
import { analyseCalibration, planCalibration } from '../../stats/calibration/calibration.js';
import { generatorFor, shuffle } from '../../stats/random.js';
import { editVariant } from '../../variants/placement/copies.js';
import { findCosts } from './measure-costs.js';
import { appendPlacementObservation, appendTrial, dropPartialLines, dropOrphans } from './store.js';
import { runTrial } from './trial.js';

/** @import { Calibration, CalibrationPart, Cell, CostKind, InjectedCost, PlacementObservation } from '../../formats/types.ts' */
/** @import { Session } from '../../run/run.js' */
/** @import { StoredCalibration } from './store.js' */
/** @import { TrialContext } from './trial.js' */
/** @import { Schedule } from '../../run/question.js' */
/** @import { PlannedTrial } from '../../stats/calibration/calibration.js' */

/** Share of the time for placement, if trials run as well. */
const PLACEMENTS_SHARE = 0.1;

/**
 * @typedef {object} CalibrationTask
 * @property {readonly CalibrationPart[]} parts
 * @property {Calibration['modes'][number]['mode'][]} modes
 * @property {Schedule[]} schedules
 * @property {readonly CostKind[]} costs
 * @property {number} seed
 * @property {number} forMs of this session
 */

/**
 * Runs or resumes a calibration for a given time: first trials, measuring unknown costs on demand, then
 * placement copies. Each trial is stored before the next begins.
 *
 * @param {StoredCalibration} stored grows in place
 * @param {CalibrationTask} task
 * @param {TrialContext} trialContext
 * @param {Pick<Session, 'environment' | 'signal' | 'onProgress'> & { save: (head: Calibration) => void }} session
 *   `save` writes calibration.json
 * @returns {Promise<StoredCalibration>} with its results
 * @throws {import('../../lib/errors.js').MachineError} when workers keep failing; completed trials are kept
 */
export async function runCalibration(stored, task, trialContext, { save, ...session }) {
  const { path, trials, observations, placementObservations } = stored;
  const head = { ...stored.calibration, wallMs: findEndMs(stored) };
  dropPartialLines(path);
  dropOrphans(stored);
  const startMs = performance.now();
  const countersBefore = readHostCounters();
  const sessionMs = () => performance.now() - startMs;
  const elapsedMs = () => head.wallMs + sessionMs();
  const isInterrupted = () => session.signal.aborted;
  const onStep = (/** @type {string} */ step) =>
    session.onProgress(() => ({
      step: `${step} · ${formatMinutes(task.forMs - sessionMs())} left`,
    }));
  /** @param {Calibration['ended']} ended */
  const conclude = (ended) => {
    const calibration = analyseCalibration({
      head: {
        ...head,
        ended,
        wallMs: elapsedMs(),
        workerMs: sumWorkerMs([...observations, ...placementObservations]),
        hostNoise: joinHostNoise(
          { noise: head.hostNoise, ms: head.wallMs },
          { noise: compareHostCounters(countersBefore, readHostCounters()), ms: sessionMs() },
        ),
      },
      trials,
      observations,
      placementObservations,
    });
    save(calibration);
    return { ...stored, calibration };
  };
  try {
    // Without this file the trials of a killed session could not be read.
    save(head);
    await addTrials();
    await addPlacements();
  } catch (error) {
    if (!isInterrupted()) {
      conclude('interrupted');
      throw error;
    }
  }
  return conclude(isInterrupted() ? 'interrupted' : 'complete');

  async function addTrials() {
    const isWanted = task.parts.some((part) => part !== 'placements');
    const share = task.parts.includes('placements') ? 1 - PLACEMENTS_SHARE : 1;
    const from = trials.length === 0 ? 0 : trials[trials.length - 1].number + 1;
    const planned = planCalibration({ ...task, cells: head.cells, from });
    for (const trial of isWanted ? planned : []) {
      if (isInterrupted() || sessionMs() > task.forMs * share) return;
      if (trial.injected > 0) {
        await addCosts(head, trial, task, trialContext, session, onStep);
        save(head);
        if (isInterrupted() || sessionMs() > task.forMs * share) return;
      }
      onStep(`trial ${trial.number + 1} · ${describeTrial(trial)}`);
      const { budgetSeconds } = head;
      const rounds = findRounds(head, trial);
      const done = await runTrial(trial, {
        trialContext,
        budgetSeconds,
        rounds,
        elapsedMs,
        session,
      });
      if (done === null) return;
      appendTrial(path, done.trial, done.observations);
      trials.push(done.trial);
      observations.push(
        ...done.observations.map((each) => ({ ...each, id: `${trial.number}/${each.id}` })),
      );
    }
  }

  async function addPlacements() {
    if (!task.parts.includes('placements') || isInterrupted()) return;
    await measurePlacementSpread({
      trialContext,
      cells: head.cells,
      seed: task.seed,
      from: 1 + Math.max(-1, ...placementObservations.map(({ block }) => block)),
      path,
      elapsedMs,
      isOver: () => isInterrupted() || sessionMs() > task.forMs,
      onStep,
      keep(observation) {
        appendPlacementObservation(path, observation);
        placementObservations.push(observation);
      },
    });
  }
}

/**
 * The start of this session on the clock of the calibration. A killed session did not store its wall time.
 *
 * @param {StoredCalibration} stored
 * @returns {number} milliseconds of all earlier sessions
 */
function findEndMs({ calibration, trials, placementObservations }) {
  const ends = [
    ...trials.map(({ startedAtMs, wallMs }) => startedAtMs + wallMs),
    ...placementObservations.map(({ startedAtMs, workerMs }) => startedAtMs + workerMs),
  ];
  return ends.reduce((last, end) => Math.max(last, end), calibration.wallMs);
}

/** @param {{ workerMs: number }[]} jobs */
function sumWorkerMs(jobs) {
  return jobs.reduce((sum, { workerMs }) => sum + workerMs, 0);
}

/**
 * Measures the costs of a cell when a trial first needs one. Doing all cells in advance would take longer
 * than a short calibration.
 *
 * @param {Calibration} head grows in place
 * @param {PlannedTrial} trial
 * @param {Pick<CalibrationTask, 'forMs'>} task
 * @param {TrialContext} trialContext
 * @param {Pick<Session, 'environment' | 'signal'>} session
 * @param {(step: string) => void} onStep
 */
async function addCosts(head, trial, { forMs }, trialContext, session, onStep) {
  const { mode, cellId, cost } = trial;
  const cell = head.cells.find(({ id }) => id === cellId);
  if (cell === undefined) return;
  const earlier = head.costs.filter((each) => isOfKind(each, trial));
  const onMeasure = () => onStep(`costs of ${cellId}, ${mode}`);
  const wanted = { mode, cell, forMs, earlier, onMeasure };
  const costs = await findCosts(
    cost === undefined ? wanted : { ...wanted, cost },
    trialContext,
    session,
  );
  if (costs === earlier) return;
  head.costs = [...head.costs.filter((each) => !isOfKind(each, trial)), ...costs];
}

/** @type {(one: InjectedCost, trial: PlannedTrial) => boolean} */
function isOfKind({ mode, cellId, cost }, trial) {
  return mode === trial.mode && cellId === trial.cellId && cost === trial.cost;
}

/**
 * @param {Calibration} head
 * @param {PlannedTrial} trial
 */
function findRounds({ costs }, trial) {
  const cost = costs.find((each) => isOfKind(each, trial) && each.injected === trial.injected);
  return cost?.rounds ?? 0;
}

/** @param {PlannedTrial} trial */
function describeTrial({ mode, schedule, cellId, injected, cost }) {
  const what =
    injected === 0 ? 'A/A' : `+${injected * 100} %${cost === undefined ? '' : ` ${cost}`}`;
  const conditions = [mode === 'screen' ? [mode] : [], schedule ?? []].flat();
  return [what, cellId, ...conditions].join(' · ');
}

/** @param {number} ms */
function formatMinutes(ms) {
  return `${Math.max(0, Math.ceil(ms / 60_000))} min`;
}

/** Placements of a cell, including the unedited one. */
const PLACEMENTS = 8;
/** Random stream for the order within a block, separate from those of trials. */
const STREAM = 2_000_001;

/**
 * Measures copies of the variant with different code placement until the time is over. A block measures every
 * placement of every cell once.
 *
 * @param {object} context
 * @param {TrialContext} context.trialContext
 * @param {Cell[]} context.cells
 * @param {number} context.seed
 * @param {number} context.from first block that is not measured yet
 * @param {string} context.path directory of the calibration
 * @param {() => number} context.elapsedMs
 * @param {() => boolean} context.isOver whether the time is over or the user interrupted
 * @param {(observation: PlacementObservation) => void} context.keep
 * @param {(step: string) => void} context.onStep
 */
async function measurePlacementSpread(context) {
  const { trialContext, cells, seed, from, path, elapsedMs, isOver, keep, onStep } = context;
  const placementsPath = join(path, 'placements');
  rmSync(placementsPath, { recursive: true, force: true });
  const edited = Array.from({ length: PLACEMENTS }, (_, placement) =>
    placement === 0
      ? { variant: trialContext.manifest.variants.baseline, familyPath: trialContext.family.path }
      : editVariant(trialContext.manifest.variants.baseline, trialContext.family, {
          seed,
          arm: 'baseline',
          placement,
          path: placementsPath,
        }),
  );
  try {
    await measureBlocks();
  } finally {
    rmSync(placementsPath, { recursive: true, force: true });
  }

  async function measureBlocks() {
    for (let block = from; !isOver(); block++) {
      const jobs = cells.flatMap((cell) =>
        edited.map((copy, placement) => ({ cell, placement, copy })),
      );
      for (const [position, job] of shuffle(jobs, generatorFor(seed, block, STREAM)).entries()) {
        if (isOver()) return;
        const { cell, placement, copy } = job;
        onStep(`placements · ${cell.id} · block ${block + 1}`);
        const id = `placement/${cell.id}/${block}/${position}/baseline-${placement}`;
        const startedAtMs = elapsedMs();
        const arm = {
          variant: copy.variant,
          family: { name: trialContext.family.name, path: copy.familyPath },
        };
        const outcome = await trialContext.runJob.default(
          makeMeasureJob(id, cell, arm, trialContext.manifest),
        );
        const planned = /** @type {const} */ ({
          id,
          attempt: 1,
          cellId: cell.id,
          arm: 'baseline',
          placement,
          block,
          position,
        });
        keep({
          formatVersion: FORMAT_VERSION,
          ...planned,
          startedAtMs,
          ...describeMeasured(outcome),
        });
      }
    }
  }
}

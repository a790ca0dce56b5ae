import { compareHostCounters, joinHostNoise, readHostCounters } from '../../host/counters.js';
import { analyseCalibration, planCalibration } from '../../stats/calibration/calibration.js';
import { appendLayoutObservation, appendTrial, dropTornLine, dropUncounted } from './store.js';
import { findCosts } from './measure-costs.js';
import { measureLayoutSpread } from './measure-layout-spread.js';
import { runTrial } from './trial.js';

/** @import { Calibration, InjectedCost } from '../../formats/types.ts' */
/** @import { Session } from '../../run/run.js' */
/** @import { StoredCalibration } from './store.js' */
/** @import { Bench } from './trial.js' */
/** @import { PARTS, PlannedTrial } from '../../stats/calibration/calibration.js' */

/** Of the time, for layouts, where trials are wanted too. */
const LAYOUTS_SHARE = 0.1;

/**
 * @typedef {object} CalibrationTask
 * @property {readonly (typeof PARTS[number])[]} parts
 * @property {Calibration['modes'][number]['mode'][]} modes
 * @property {number} seed
 * @property {number} forMs of this session
 */

/**
 * Goes on with a calibration until its time is over: trials, with costs where they are not known, then
 * layouts. What each trial brings is kept before the next begins.
 *
 * @param {StoredCalibration} stored grows in place
 * @param {CalibrationTask} task
 * @param {Bench} bench
 * @param {Pick<Session, 'environment' | 'signal' | 'onProgress'> & { save: (head: Calibration) => void }} session
 *   `save` writes calibration.json
 * @returns {Promise<StoredCalibration>} with its results
 * @throws {import('../../lib/errors.js').MachineError} when workers keep failing; what was measured is kept
 */
export async function runCalibration(stored, task, bench, { save, ...session }) {
  const { path, trials, observations, layoutObservations } = stored;
  const head = { ...stored.calibration, wallMs: findEndMs(stored) };
  dropTornLine(path);
  dropUncounted(stored);
  const startMs = performance.now();
  const countersBefore = readHostCounters();
  const sessionMs = () => performance.now() - startMs;
  const elapsedMs = () => head.wallMs + sessionMs();
  const isInterrupted = () => session.signal.aborted;
  const onStep = (/** @type {string} */ step) =>
    session.onProgress({ step: `${step} · ${tellMinutes(task.forMs - sessionMs())} left` });
  /** @param {Calibration['ended']} ended */
  const conclude = (ended) => {
    const calibration = analyseCalibration({
      head: {
        ...head,
        ended,
        wallMs: elapsedMs(),
        workerMs: sumWorkerMs([...observations, ...layoutObservations]),
        hostNoise: joinHostNoise(
          { noise: head.hostNoise, ms: head.wallMs },
          { noise: compareHostCounters(countersBefore, readHostCounters()), ms: sessionMs() },
        ),
      },
      trials,
      observations,
      layoutObservations,
    });
    save(calibration);
    return { ...stored, calibration };
  };
  try {
    // Should it be killed, trials can be told by what is known now.
    save(head);
    await addTrials();
    await addLayouts();
  } catch (error) {
    if (!isInterrupted()) {
      conclude('interrupted');
      throw error;
    }
  }
  return conclude(isInterrupted() ? 'interrupted' : 'complete');

  async function addTrials() {
    const isWanted = task.parts.some((part) => part !== 'layouts');
    const share = task.parts.includes('layouts') ? 1 - LAYOUTS_SHARE : 1;
    const from = trials.length === 0 ? 0 : trials[trials.length - 1].number + 1;
    const planned = planCalibration({ ...task, cells: head.cells, from });
    for (const trial of isWanted ? planned : []) {
      if (isInterrupted() || sessionMs() > task.forMs * share) return;
      if (trial.injected > 0) {
        await addCosts(head, trial, task, bench, session, onStep);
        save(head);
        if (isInterrupted() || sessionMs() > task.forMs * share) return;
      }
      onStep(`trial ${trial.number + 1} · ${describeTrial(trial)}`);
      const { budgetSeconds } = head;
      const rounds = findRounds(head, trial);
      const done = await runTrial(trial, {
        bench,
        budgetSeconds,
        rounds,
        elapsedMs,
        signal: session.signal,
      });
      if (done === null) return;
      appendTrial(path, done.trial, done.observations);
      trials.push(done.trial);
      observations.push(
        ...done.observations.map((each) => ({ ...each, jobId: `${trial.number}/${each.jobId}` })),
      );
    }
  }

  async function addLayouts() {
    if (!task.parts.includes('layouts') || isInterrupted()) return;
    await measureLayoutSpread({
      bench,
      cells: head.cells,
      seed: task.seed,
      from: 1 + Math.max(-1, ...layoutObservations.map(({ block }) => block)),
      path,
      elapsedMs,
      isOver: () => isInterrupted() || sessionMs() > task.forMs,
      onStep,
      keep(observation) {
        appendLayoutObservation(path, observation);
        layoutObservations.push(observation);
      },
    });
  }
}

/**
 * Where the clock of this session begins. A session that was killed has not told how long it took.
 *
 * @param {StoredCalibration} stored
 * @returns {number} milliseconds since the first session began, its pauses left out
 */
function findEndMs({ calibration, trials, layoutObservations }) {
  const ends = [
    ...trials.map(({ startedAtMs, wallMs }) => startedAtMs + wallMs),
    ...layoutObservations.map(({ startedAtMs, workerMs }) => startedAtMs + workerMs),
  ];
  return ends.reduce((last, end) => Math.max(last, end), calibration.wallMs);
}

/** @param {{ workerMs: number }[]} jobs */
function sumWorkerMs(jobs) {
  return jobs.reduce((sum, { workerMs }) => sum + workerMs, 0);
}

/**
 * Finds the costs of a cell when the first trial needs one: all cells at once would take longer than a
 * short calibration has.
 *
 * @param {Calibration} head grows in place
 * @param {PlannedTrial} trial
 * @param {Pick<CalibrationTask, 'forMs'>} task
 * @param {Bench} bench
 * @param {Pick<Session, 'environment' | 'signal'>} session
 * @param {(step: string) => void} onStep
 */
async function addCosts(head, { mode, cellId }, { forMs }, bench, session, onStep) {
  const cell = head.cells.find(({ id }) => id === cellId);
  if (cell === undefined) return;
  const isOfCell = (/** @type {InjectedCost} */ cost) =>
    cost.mode === mode && cost.cellId === cellId;
  const earlier = head.costs.filter(isOfCell);
  const onMeasure = () => onStep(`costs of ${cellId}, ${mode}`);
  const costs = await findCosts({ mode, cell, forMs, earlier, onMeasure }, bench, session);
  if (costs === earlier) return;
  head.costs = [...head.costs.filter((cost) => !isOfCell(cost)), ...costs];
}

/**
 * @param {Calibration} head
 * @param {PlannedTrial} trial
 */
function findRounds({ costs }, { mode, cellId, injected }) {
  const cost = costs.find(
    (each) => each.mode === mode && each.cellId === cellId && each.injected === injected,
  );
  return cost?.rounds ?? 0;
}

/** @param {PlannedTrial} trial */
function describeTrial({ mode, cellId, injected }) {
  const what = injected === 0 ? 'A/A' : `+${injected * 100} %`;
  return `${what} · ${cellId}${mode === 'screen' ? ' · screen' : ''}`;
}

/** @param {number} ms */
function tellMinutes(ms) {
  return `${Math.max(0, Math.ceil(ms / 60_000))} min`;
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../../lib/errors.js';
import { omitUndefined } from '../../lib/records.js';
import { joinHostNoise } from '../../host/counters.js';
import { execute } from '../../run/execute.js';
import { openLocalExecutor } from '../../run/executors/local.js';
import { describeMeasured, makeMeasureJob } from '../../run/passes/timing.js';
import { analyseCalibration, planCalibration } from '../../stats/calibration/calibration.js';
import { sumOf } from '../../stats/means.js';
import { generatorFor, shuffle } from '../../stats/random.js';
import { openCopies } from '../../variants/placement/copies.js';
import { areVerified, measureCosts } from './measure-costs.js';
import { appendPlacementObservation, appendTrial, numberJobs } from './store.js';
import { runTrial } from './trial.js';

/** @import { Calibration, CalibrationPart, Cell, CostKind, HostNoise, InjectedCost, PlacementObservation, PlannedPlacementJob } from '../../formats/types.ts' */
/** @import { Pass } from '../../run/execute.js' */
/** @import { Session } from '../../run/run.js' */
/** @import { StoredCalibration } from './store.js' */
/** @import { MeasuredTrial, TrialContext } from './trial.js' */
/** @import { Study } from '../study.js' */
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
 * What is measured next: a trial, the costs that a trial needs, or placements until the time is over.
 *
 * @typedef {{ kind: 'costs', trial: PlannedTrial, step: string } | { kind: 'trial', trial: PlannedTrial, step: string }
 *   | { kind: 'placements' }} CalibrationStep
 */

/**
 * @typedef {{ costs: InjectedCost[] } | MeasuredTrial | { placementObservations: PlacementObservation[] }} CalibrationResult
 *   placements: with those of earlier sessions
 */

/**
 * The study that measures for a given time: first trials, and unknown costs when a trial needs them; then placements.
 *
 * @param {CalibrationTask} task
 * @param {object} tools
 * @param {(step: CalibrationStep, stored: StoredCalibration, elapsedMs: () => number) => Promise<CalibrationResult | null>} tools.measure
 *   null where it was interrupted; `elapsedMs`: since the calibration began
 * @param {() => HostNoise} tools.readNoise of the host since this session began
 * @returns {Study<StoredCalibration, CalibrationStep, CalibrationResult>}
 */
export function makeCalibrationStudy(task, { measure, readNoise }) {
  const { parts, forMs } = task;
  const trialsMs = parts.includes('placements') ? forMs * (1 - PLACEMENTS_SHARE) : forMs;
  return {
    next(stored, { elapsedMs }) {
      const ms = elapsedMs();
      const left = describeLeft(forMs - ms);
      const trial = ms > trialsMs ? null : planTrial(stored, task);
      if (trial !== null) {
        return needsCosts(stored, trial, forMs)
          ? { kind: 'costs', trial, step: `costs of ${trial.cellId}, ${trial.mode} · ${left}` }
          : {
              kind: 'trial',
              trial,
              step: `trial ${trial.number + 1} · ${describeTrial(trial)} · ${left}`,
            };
      }
      return parts.includes('placements') && ms <= forMs ? { kind: 'placements' } : null;
    },
    measure: (step, stored, { elapsedMs }) =>
      measure(step, stored, () => stored.calibration.wallMs + elapsedMs()),
    absorb(stored, { task: step, result }) {
      if ('placementObservations' in result) return { ...stored, ...result };
      if ('trial' in result) {
        return {
          ...stored,
          trials: [...stored.trials, result.trial],
          observations: [...stored.observations, ...numberJobs(result)],
        };
      }
      const { calibration } = stored;
      const others =
        step.kind === 'costs'
          ? calibration.costs.filter((cost) => !isOfKind(cost, step.trial))
          : [];
      return { ...stored, calibration: { ...calibration, costs: [...others, ...result.costs] } };
    },
    conclude(stored, { elapsedMs, isInterrupted }) {
      const { calibration, trials, observations, placementObservations } = stored;
      const earlier = { noise: calibration.hostNoise, ms: calibration.wallMs };
      /** @type {Calibration} */
      const head = {
        ...calibration,
        ended: isInterrupted() ? 'interrupted' : 'complete',
        wallMs: calibration.wallMs + elapsedMs(),
        workerMs: sumOf(
          [...observations, ...placementObservations].map(({ workerMs }) => workerMs),
        ),
        hostNoise: joinHostNoise(earlier, { noise: readNoise(), ms: elapsedMs() }),
      };
      const measured = { trials, observations, placementObservations };
      return { ...stored, calibration: analyseCalibration({ head, ...measured }) };
    },
  };
}

/** @type {(stored: StoredCalibration, task: CalibrationTask) => PlannedTrial | null} null where no trials are wanted */
function planTrial({ calibration, trials }, task) {
  const from = (trials.at(-1)?.number ?? -1) + 1;
  return planCalibration({ ...task, cells: calibration.cells, from }).next().value ?? null;
}

/**
 * Costs of a cell are measured when a trial first needs one: all cells in advance would take longer than a short
 * calibration. A longer session verifies them again in more processes.
 *
 * @type {(stored: StoredCalibration, trial: PlannedTrial, forMs: number) => boolean}
 */
function needsCosts({ calibration }, trial, forMs) {
  const known = calibration.costs.filter((cost) => isOfKind(cost, trial));
  return trial.injected > 0 && !areVerified(known, forMs);
}

/**
 * Returns what measures by processes on this host, and appends each trial and placement to the journals.
 *
 * @param {CalibrationTask} task
 * @param {TrialContext} trialContext
 * @param {Pick<Session, 'environment' | 'signal' | 'onProgress'>} session
 * @returns {Parameters<typeof makeCalibrationStudy>[1]['measure']} throws a MachineError when workers keep failing
 */
export function openMeasuring(task, trialContext, session) {
  return async function measure(step, stored, elapsedMs) {
    const { path, calibration } = stored;
    if (step.kind === 'placements') {
      return measurePlacements(stored, { task, trialContext, session, elapsedMs });
    }
    session.onProgress(() => ({ step: step.step }));
    if (step.kind === 'costs') {
      const { mode, cellId, cost } = step.trial;
      const cell = findCell(calibration.cells, cellId);
      const earlier = calibration.costs.filter((each) => isOfKind(each, step.trial));
      const wanted = { mode, cell, forMs: task.forMs, earlier, ...omitUndefined({ cost }) };
      return { costs: await measureCosts(wanted, trialContext, session) };
    }
    const { budgetSeconds } = calibration;
    const rounds = findRounds(calibration, step.trial);
    const done = await runTrial(step.trial, {
      ...{ trialContext, budgetSeconds, rounds, elapsedMs, session },
    });
    if (done !== null) appendTrial(path, done);
    return done;
  };
}

/** Placements of a cell, including the unedited one. */
const PLACEMENTS = 8;
/** Random stream for the order within a block, separate from those of trials. */
const STREAM = 2_000_001;

/**
 * Measures placements of the variant by copies of it, until the time is over.
 *
 * @param {StoredCalibration} stored
 * @param {{ task: CalibrationTask, trialContext: TrialContext, elapsedMs: () => number,
 *   session: Pick<Session, 'signal' | 'onProgress'> }} context
 */
async function measurePlacements({ path, calibration, placementObservations }, context) {
  const { seed, forMs } = context.task;
  const { family, questions, manifest, runJob } = context.trialContext;
  const { elapsedMs, session } = context;
  const { cells, wallMs } = calibration;
  const sessionMs = () => elapsedMs() - wallMs;
  const copiesPath = join(path, 'placements');
  const question = { ...questions.default, seed, placements: PLACEMENTS - 1 };
  const variants = { ...manifest.variants, candidates: [] };
  const { baseline: copyOf } = openCopies(copiesPath, {
    manifest: { ...manifest, question, variants },
    family,
  });
  const observations = [...placementObservations];
  /** @type {Pass<PlannedPlacementJob, PlacementObservation>} */
  const pass = {
    name: 'placements',
    stages: planPlacements(cells, seed),
    keepsFailures: true,
    async perform({ id, cellId, placement }, start) {
      const copy = copyOf(placement);
      if (copy instanceof AssayError) throw copy;
      const { variant, familyPath } = copy;
      const arm = { variant, family: { name: family.name, path: familyPath } };
      return describeMeasured(
        await start(makeMeasureJob(id, findCell(cells, cellId), arm, manifest)),
      );
    },
    describe: ({ cellId, block }) => ({
      step: `placements · ${cellId} · block ${block + 1} · ${describeLeft(forMs - sessionMs())}`,
    }),
    close: () => rmSync(copiesPath, { recursive: true, force: true }),
  };
  await execute(pass, {
    executor: openLocalExecutor(runJob.default),
    observations,
    append: (observation) => appendPlacementObservation(path, observation),
    clock: { elapsedMs, sessionMs },
    untilMs: () => forMs,
    signal: session.signal,
    onProgress: session.onProgress,
  });
  return { placementObservations: observations };
}

/**
 * Plans blocks without end. Each measures every placement of every cell once, in random order.
 *
 * @param {Pick<Cell, 'id'>[]} cells
 * @param {number} seed
 * @returns {Generator<PlannedPlacementJob[], never>}
 */
function* planPlacements(cells, seed) {
  const jobs = cells.flatMap(({ id: cellId }) =>
    Array.from({ length: PLACEMENTS }, (_, placement) => ({ cellId, placement })),
  );
  for (let block = 0; ; block++) {
    const order = shuffle(jobs, generatorFor(seed, block, STREAM));
    yield order.map(({ cellId, placement }, position) => {
      const id = `placement/${cellId}/${block}/${position}/baseline-${placement}`;
      return { id, cellId, arm: 'baseline', placement, block, position };
    });
  }
}

/** @type {(cells: Cell[], id: string) => Cell} */
function findCell(cells, id) {
  return /** @type {Cell} */ (cells.find((cell) => cell.id === id));
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

/** @type {(ms: number) => string} the time that is left */
function describeLeft(ms) {
  return `${Math.max(0, Math.ceil(ms / 60_000))} min left`;
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { omitUndefined } from '../../lib/records.js';
import { joinHostNoise } from '../../host/counters.js';
import { describeMeasured, makeMeasureJob } from '../../run/passes/timing.js';
import { analyseCalibration, planCalibration } from '../../stats/calibration/calibration.js';
import { sumOf } from '../../stats/means.js';
import { generatorFor, shuffle } from '../../stats/random.js';
import { editVariant } from '../../variants/placement/copies.js';
import { areVerified, measureCosts } from './measure-costs.js';
import { appendPlacementObservation, appendTrial, numberJobs } from './store.js';
import { runTrial } from './trial.js';

/** @import { Calibration, CalibrationPart, Cell, CostKind, HostNoise, InjectedCost, PlacementObservation, ResolvedVariant } from '../../formats/types.ts' */
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
 * What is measured next: a trial, the costs that a trial needs, or one placement copy.
 *
 * @typedef {{ kind: 'costs', trial: PlannedTrial, step: string } | { kind: 'trial', trial: PlannedTrial, step: string }
 *   | { kind: 'placement', planned: PlannedPlacement, step: string }} CalibrationStep
 */

/** @typedef {Pick<PlacementObservation, 'id' | 'cellId' | 'arm' | 'placement' | 'block' | 'position'>} PlannedPlacement */

/** @typedef {{ costs: InjectedCost[] } | MeasuredTrial | { placement: PlacementObservation }} CalibrationResult */

/**
 * The study that measures for a given time: first trials, and unknown costs when a trial needs them; then placement
 * copies.
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
      const left = `${Math.max(0, Math.ceil((forMs - ms) / 60_000))} min left`;
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
      if (!parts.includes('placements') || ms > forMs) return null;
      const planned = planPlacement(stored, task.seed);
      const { cellId, block } = planned;
      const step = `placements · ${cellId} · block ${block + 1} · ${left}`;
      return { kind: 'placement', planned, step };
    },
    measure: (step, stored, { elapsedMs }) =>
      measure(step, stored, () => stored.calibration.wallMs + elapsedMs()),
    absorb(stored, { task: step, result }) {
      if ('placement' in result) {
        return {
          ...stored,
          placementObservations: [...stored.placementObservations, result.placement],
        };
      }
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

/** Placements of a cell, including the unedited one. */
const PLACEMENTS = 8;
/** Random stream for the order within a block, separate from those of trials. */
const STREAM = 2_000_001;

/**
 * A block measures every placement of every cell once, in random order.
 *
 * @type {(stored: StoredCalibration, seed: number) => PlannedPlacement} the next one
 */
function planPlacement({ calibration: { cells }, placementObservations }, seed) {
  const last = placementObservations.at(-1);
  const isWhole = last === undefined || last.position === cells.length * PLACEMENTS - 1;
  const block = last === undefined ? 0 : last.block + (isWhole ? 1 : 0);
  const position = isWhole ? 0 : last.position + 1;
  const jobs = cells.flatMap(({ id: cellId }) =>
    Array.from({ length: PLACEMENTS }, (_, placement) => ({ cellId, placement })),
  );
  const { cellId, placement } = shuffle(jobs, generatorFor(seed, block, STREAM))[position];
  const id = `placement/${cellId}/${block}/${position}/baseline-${placement}`;
  return { id, cellId, arm: 'baseline', placement, block, position };
}

/**
 * Measures by processes on this host, and appends each trial and placement to the journals.
 *
 * @param {CalibrationTask} task
 * @param {TrialContext} trialContext
 * @param {Pick<Session, 'environment' | 'signal' | 'onProgress'>} session
 * @returns {{ measure: Parameters<typeof makeCalibrationStudy>[1]['measure'], close: () => void }}
 * @throws {import('../../lib/errors.js').MachineError} from `measure`, when workers keep failing
 */
export function openMeasuring({ forMs, seed }, trialContext, session) {
  /** @type {ReturnType<typeof makePlacements> | null} */
  let placements = null;
  /** @type {string | null} */
  let placementsPath = null;
  return {
    async measure(step, { path, calibration }, elapsedMs) {
      session.onProgress(() => ({ step: step.step }));
      if (step.kind === 'costs') {
        const { mode, cellId, cost } = step.trial;
        const cell = findCell(calibration.cells, cellId);
        const earlier = calibration.costs.filter((each) => isOfKind(each, step.trial));
        const wanted = { mode, cell, forMs, earlier, ...omitUndefined({ cost }) };
        return { costs: await measureCosts(wanted, trialContext, session) };
      }
      if (step.kind === 'trial') {
        const { budgetSeconds } = calibration;
        const rounds = findRounds(calibration, step.trial);
        const done = await runTrial(step.trial, {
          ...{ trialContext, budgetSeconds, rounds, elapsedMs, session },
        });
        if (done !== null) appendTrial(path, done);
        return done;
      }
      placementsPath ??= join(path, 'placements');
      placements ??= makePlacements(placementsPath, seed, trialContext);
      const { planned } = step;
      const { family, manifest, runJob } = trialContext;
      const { variant, familyPath } = placements[planned.placement];
      const startedAtMs = elapsedMs();
      const arm = { variant, family: { name: family.name, path: familyPath } };
      const cell = findCell(calibration.cells, planned.cellId);
      const outcome = await runJob.default(makeMeasureJob(planned.id, cell, arm, manifest));
      if (session.signal.aborted) return null;
      const placement = {
        ...{ formatVersion: FORMAT_VERSION, ...planned, attempt: 1, startedAtMs },
        ...describeMeasured(outcome),
      };
      appendPlacementObservation(path, placement);
      return { placement };
    },
    close() {
      if (placementsPath !== null) rmSync(placementsPath, { recursive: true, force: true });
    },
  };
}

/**
 * @param {string} path that they are written to
 * @param {number} seed
 * @param {TrialContext} trialContext
 * @returns {{ variant: ResolvedVariant, familyPath: string }[]} the variant, and copies with their code elsewhere
 */
function makePlacements(path, seed, { family, manifest: { variants } }) {
  rmSync(path, { recursive: true, force: true });
  const { baseline } = variants;
  return Array.from({ length: PLACEMENTS }, (_, placement) =>
    placement === 0
      ? { variant: baseline, familyPath: family.path }
      : editVariant(baseline, family, { seed, arm: 'baseline', placement, path }),
  );
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

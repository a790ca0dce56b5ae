import { omitUndefined } from '../../lib/records.js';
import { compareRun } from '../../stats/compare.js';
import {
  PROCESSES_PER_BLOCK,
  armsOf,
  countJobs,
  findCell,
  groupShared,
  listAllLooks,
  planJobs,
  sharedIdOf,
} from '../../stats/plan.js';
import { figureOf } from '../../stats/figure.js';
import { scheduleOf } from '../../stats/schedule.js';
import { describeEquipment, describeJob, findCorpus } from '../jobs.js';
import { countBy, estimateMs } from '../execute.js';

/** @import { Cell, CellComparison, Experiment, Failure, MeasureJob, MeasureReport, Observation, PlannedJob, Question } from '../../formats/types.ts' */
/** @import { Pass } from '../execute.js' */
/** @import { WorkerOutcome } from '../process.js' */
/** @import { Look } from '../progress.js' */

/** Failures of one job after which its cell is given up. */
const MAX_ATTEMPTS = 3;

/**
 * What a pass needs to know of a run and of the host that performs its jobs.
 *
 * @typedef {object} Setting
 * @property {Experiment} manifest
 * @property {string} familyPath
 * @property {Cell[]} [cells] those that are measured; all of the question by default
 * @property {number[] | undefined} [cores] on which jobs of a paired schedule run
 */

/**
 * @typedef {Setting & {
 *   observations: Observation[],
 *   interimLooks?: Record<string, number[]>,
 *   lastLook?: number,
 *   onLook?: (look: Look) => void,
 * }} TimingSetting with the observations of the run, which grow; the unplanned looks of earlier sessions, processes per
 *   variant by cell; the look after which it ends, by default the last one; and what is called after each look
 */

/**
 * Opens the pass of the timed jobs, which runs them look by look until every cell is decided. Which
 * cells continue after a look depends only on the observations and verdicts up to that look, so an
 * interrupted run that is resumed takes the same decisions as an undisturbed one. A cell with a job
 * that fails at every attempt, or whose output is wrong, is not measured further in this session.
 * @type {(setting: TimingSetting) => Pass<PlannedJob, Observation>}
 */
export function openTimingPass(setting) {
  const { manifest, observations } = setting;
  const { question } = manifest;
  const schedule = scheduleOf(question);
  const family = { name: question.family, path: setting.familyPath };
  /** Cells whose jobs failed or have wrong output, by the id that jobs have. @type {Set<string>} */
  const stopped = new Set();
  /** @param {Cell} cell */
  const isStopped = (cell) => stopped.has(cell.id) || stopped.has(sharedIdOf(cell));
  let measuring = setting.cells ?? question.cells;
  let look = 0;
  let lookBefore = 0;
  /** Groups of cells of this look that have no jobs yet. @type {Cell[][]} */
  let waiting = [];
  /** @type {CellComparison[]} */
  let latest = [];

  function* planLooks() {
    const { interimLooks = {}, lastLook = Infinity } = setting;
    if (Object.keys(interimLooks).length > 0) {
      // What an earlier session showed is not measured further, so that it is not withdrawn.
      const { decided } = compareUpTo(Infinity, setting);
      measuring = measuring.filter(({ id }) => !(id in interimLooks && decided[id]));
    }
    for (const to of listAllLooks(question).filter((size) => size <= lastLook)) {
      lookBefore = look;
      look = to;
      // The early look takes one cell after the other, so that the first are settled within seconds.
      waiting = to === question.earlyLook ? [...groupShared(measuring).values()] : [measuring];
      for (let cells = waiting.shift(); cells !== undefined; cells = waiting.shift()) {
        yield planJobs(question, cells, { from: lookBefore, to });
        const comparison = compareUpTo(look, setting);
        latest = comparison.cells;
        measuring = measuring.filter((cell) => !comparison.decided[cell.id] && !isStopped(cell));
        setting.onLook?.({ ...comparison, failed: stopped });
      }
    }
  }

  return {
    name: 'timing',
    stages: planLooks(),
    unitOf: openUnits(question),
    attempts: MAX_ATTEMPTS,
    group: schedule.group,
    skips: ({ cellId, arm }) =>
      arm === 'candidate'
        ? isStopped(findCell(question.cells, { cellId, arm }))
        : stopped.has(cellId),
    async perform(planned, runJob, place) {
      const cell = findCell(question.cells, planned);
      const variant = armsOf(manifest, cell)[planned.arm];
      const job = makeMeasureJob(planned.id, cell, { variant, family }, manifest);
      const cpus = chooseCore(setting.cores, cell, { pair: planned.block, core: place });
      return describeMeasured(await runJob(job, { cpus }));
    },
    settle(planned, observation) {
      const { cellId } = planned;
      const digestId = sharedIdOf(findCell(question.cells, planned));
      const isRight =
        observation.outcome === 'done' &&
        observation.outputDigest === manifest.expectedDigests[digestId];
      if (!isRight) stopped.add(cellId);
    },
    kindOf: ({ cellId }) => cellId,
    describe({ cellId }, { left }) {
      const looks = listAllLooks(question);
      const jobs = countBy(left, (planned) => planned.cellId);
      let isUpperBound = false;
      for (const [sharedId, cells] of groupShared(measuring)) {
        const needed = Math.max(...cells.map(({ id }) => findNeeded(id, latest)));
        if (needed === Infinity) isUpperBound = true;
        // The look by which the cells are settled if their noise stays the same.
        const last = looks.find((size) => size >= Math.max(look, needed)) ?? Math.max(...looks);
        const reached = waiting.flat().some(({ id }) => id === cells[0].id) ? lookBefore : look;
        const after = countJobs(last - reached, cells.length, question);
        jobs.set(sharedId, (jobs.get(sharedId) ?? 0) + after);
      }
      const kindOf = (/** @type {Observation} */ observation) => observation.cellId;
      return {
        step: `${cellId} · look ${looks.indexOf(look) + 1} of ${looks.length}`,
        secondsLeft: estimateMs(jobs, observations, kindOf) / (1000 * schedule.width),
        isUpperBound,
      };
    },
  };
}

/**
 * @param {Pick<Question, 'cells'>} question
 * @returns {(job: PlannedJob) => string} one block of a cell and of those that share its baseline, so that every host has a
 *   comparison of its own
 */
function openUnits({ cells }) {
  const sharedIds = new Map(
    cells.flatMap((cell) => [cell.id, sharedIdOf(cell)].map((id) => [id, sharedIdOf(cell)])),
  );
  return ({ cellId, block }) => `${sharedIds.get(cellId)}/${block}`;
}

/**
 * @param {number[] | undefined} cores of a paired schedule
 * @param {Pick<Cell, 'sharesCore'>} cell
 * @param {{ pair: number, core: number }} place number of the pair, or of several; that of the job in it
 * @returns {number | undefined} the core of a job; one for the whole pair where they share it
 */
export function chooseCore(cores, { sharesCore = false }, { pair, core }) {
  return cores?.[sharesCore ? pair % cores.length : core];
}

/**
 * @param {number} processes per variant
 * @param {TimingSetting} setting
 */
function compareUpTo(processes, { manifest, observations, interimLooks = {} }) {
  const { question, expectedDigests } = manifest;
  const blocks = processes / PROCESSES_PER_BLOCK;
  return compareRun({
    question,
    expectedDigests,
    observations: observations.filter(({ block }) => block < blocks),
    interimLooks,
  });
}

/**
 * @param {string} cellId
 * @param {CellComparison[]} comparisons at the look before
 * @returns {number} processes per variant; Infinity if unknown
 */
function findNeeded(cellId, comparisons) {
  return comparisons.find(({ cell }) => cell.id === cellId)?.processesNeeded ?? Infinity;
}

/**
 * The job that times a variant on a cell.
 *
 * @param {string} id
 * @param {Cell} cell
 * @param {Parameters<typeof describeJob>[1]} arm
 * @param {Pick<Experiment, 'corpora' | 'settings' | 'packages' | 'server'>} experiment
 * @returns {MeasureJob}
 */
export function makeMeasureJob(id, cell, arm, { corpora, settings, ...experiment }) {
  return {
    ...describeJob(id, arm, cell),
    kind: 'measure',
    operation: cell.operation,
    corpus: findCorpus(corpora, cell),
    ...figureOf(cell).fields,
    ...omitUndefined({ figure: cell.figure }),
    settings,
    ...describeEquipment(experiment),
  };
}

/**
 * @typedef {{ workerMs: number } & (
 *   | { outcome: 'failed', failure: Failure }
 *   | ({ outcome: 'done' } & Pick<MeasureReport, 'outputDigest' | 'faults' | 'measurement'>)
 * )} Measured the part of an observation that comes from the worker
 */

/**
 * @param {WorkerOutcome} outcome of a job of `makeMeasureJob`
 * @returns {Measured}
 */
export function describeMeasured(outcome) {
  const { workerMs } = outcome;
  if ('failure' in outcome) return { workerMs, outcome: 'failed', failure: outcome.failure };
  const { outputDigest, faults, measurement } = /** @type {MeasureReport} */ (outcome.report);
  return { workerMs, outcome: 'done', outputDigest, ...omitUndefined({ faults }), measurement };
}

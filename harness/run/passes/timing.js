import { FORMAT_VERSION } from '../../formats/format-version.js';
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
import { countBy, estimateMs, runPass } from './pass.js';

/** @import { Cell, CellComparison, Failure, Manifest, MeasureJob, MeasureReport, Observation, PlannedJob, Question } from '../../formats/types.ts' */
/** @import { WorkerOutcome } from '../process.js' */
/** @import { Look } from '../progress.js' */
/** @import { ConductPass, PassContext, PassEnd } from './pass.js' */

/** Failures of one job after which its cell is given up. */
const MAX_ATTEMPTS = 3;

/**
 * @typedef {PassContext<Observation, Pick<Manifest, 'question' | 'variants' | 'corpora' | 'settings' | 'packages' | 'server' | 'expectedDigests'>>
 *   & { interimLooks?: Record<string, number[]>, onLook?: (look: Look) => void, conduct?: ConductPass }} TimingContext
 *   with the unplanned looks of earlier sessions, processes per variant by cell, what is called after each look, and
 *   what runs the stages, unless that is `runPass`
 */

/** @typedef {import('./pass.js').SharedPass<PlannedJob, Observation>} TimingPass */

/**
 * Runs the timed jobs of a run, look by look, until every cell is decided. Which cells continue after a
 * look depends only on the observations and verdicts up to that look, so an interrupted run that is
 * resumed takes the same decisions as an undisturbed one. A cell with a job that fails at every attempt,
 * or whose output is wrong, is not measured further in this session.
 * @type {(context: TimingContext) => Promise<PassEnd>}
 */
export function measureTimes(context) {
  const { conduct = runPass } = context;
  const { pass, planLooks } = openTiming(context);
  return conduct({ ...pass, stages: planLooks() }, context);
}

/**
 * Runs some of the jobs of another run, without looks.
 *
 * @param {PlannedJob[]} jobs
 * @param {TimingContext} context
 * @returns {Promise<PassEnd>}
 */
export function measureJobs(jobs, context) {
  return runPass({ ...openTiming(context).pass, stages: [jobs] }, context);
}

/** @param {TimingContext} context */
function openTiming(context) {
  const { manifest, observations, clock } = context;
  const { question } = manifest;
  const schedule = scheduleOf(question);
  const kindOf = (/** @type {Observation} */ { cellId }) => cellId;
  const family = { name: question.family, path: context.familyPath };
  /** Cells whose jobs failed or have wrong output, by the id that jobs have. @type {Set<string>} */
  const stopped = new Set();
  /** @param {Cell} cell */
  const isStopped = (cell) => stopped.has(cell.id) || stopped.has(sharedIdOf(cell));
  let measuring = question.cells;
  let look = 0;
  let lookBefore = 0;
  /** Groups of cells of this look that have no jobs yet. @type {Cell[][]} */
  let waiting = [];
  /** @type {CellComparison[]} */
  let latest = [];

  function* planLooks() {
    for (const to of listAllLooks(question)) {
      lookBefore = look;
      look = to;
      // The early look takes one cell after the other, so that the first are settled within seconds.
      waiting = to === question.earlyLook ? [...groupShared(measuring).values()] : [measuring];
      for (let cells = waiting.shift(); cells !== undefined; cells = waiting.shift()) {
        yield planJobs(question, cells, { from: lookBefore, to });
        const comparison = compareUpTo(look, context);
        latest = comparison.cells;
        measuring = measuring.filter((cell) => !comparison.decided[cell.id] && !isStopped(cell));
        context.onLook?.({ ...comparison, failed: stopped });
      }
    }
  }

  return {
    planLooks,
    /** @type {Omit<TimingPass, 'stages'>} */
    pass: {
      name: 'timing',
      unitOf: openUnits(question),
      attempts: MAX_ATTEMPTS,
      doneId: ({ id, outcome }) => (outcome === 'done' ? id : null),
      group: schedule.group,
      skips: ({ cellId, arm }) =>
        arm === 'candidate'
          ? isStopped(findCell(question.cells, { cellId, arm }))
          : stopped.has(cellId),
      async observe(planned, attempt, core) {
        const startedAtMs = clock.elapsedMs();
        const cell = findCell(question.cells, planned);
        const variant = armsOf(manifest, cell)[planned.arm];
        const job = makeMeasureJob(planned.id, cell, { variant, family }, manifest);
        const outcome = await context.runJob(
          job,
          chooseCore(context.cores, cell, { pair: planned.block, core }),
        );
        const identity = { formatVersion: FORMAT_VERSION, ...planned, attempt, startedAtMs };
        return { ...identity, ...describeMeasured(outcome) };
      },
      settle(planned, observation) {
        const { cellId } = planned;
        const digestId = sharedIdOf(findCell(question.cells, planned));
        const isRight =
          observation.outcome === 'done' &&
          observation.outputDigest === manifest.expectedDigests[digestId];
        if (!isRight) stopped.add(cellId);
      },
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
        return {
          step: `${cellId} · look ${looks.indexOf(look) + 1} of ${looks.length}`,
          secondsLeft: estimateMs(jobs, observations, kindOf) / (1000 * schedule.width),
          isUpperBound,
        };
      },
    },
  };
}

/**
 * @param {Pick<Question, 'cells'>} question
 * @returns {TimingPass['unitOf']} one block of a cell and of those that share its baseline, so that every host has a
 *   comparison of its own
 */
export function openUnits({ cells }) {
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
 * @param {TimingContext} context
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
 * @param {Pick<Manifest, 'corpora' | 'settings' | 'packages' | 'server'>} manifest
 * @returns {MeasureJob}
 */
export function makeMeasureJob(id, cell, arm, { corpora, settings, ...manifest }) {
  return {
    ...describeJob(id, arm, cell),
    kind: 'measure',
    operation: cell.operation,
    corpus: findCorpus(corpora, cell),
    ...figureOf(cell).fields,
    settings,
    ...describeEquipment(manifest),
  };
}

/**
 * @typedef {{ workerMs: number } & (
 *   | { outcome: 'failed', failure: Failure }
 *   | ({ outcome: 'done' } & Pick<MeasureReport, 'outputDigest' | 'measurement'>)
 * )} Measured the part of an observation that comes from the worker
 */

/**
 * @param {WorkerOutcome} outcome of a job of `makeMeasureJob`
 * @returns {Measured}
 */
export function describeMeasured(outcome) {
  const { workerMs } = outcome;
  if ('failure' in outcome) return { workerMs, outcome: 'failed', failure: outcome.failure };
  const { outputDigest, measurement } = /** @type {MeasureReport} */ (outcome.report);
  return { workerMs, outcome: 'done', outputDigest, measurement };
}

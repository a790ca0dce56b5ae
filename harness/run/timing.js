import { FORMAT_VERSION } from '../formats/format-version.js';
import { compareRun } from '../stats/compare.js';
import { PROCESSES_PER_BLOCK, planJobs } from '../stats/plan.js';
import { describeJobNode, describeJobVariant } from './job-runner.js';

/** @import { Cell, CellComparison, Failure, Job, Manifest, MeasureJob, MeasureReport, Observation, PlannedJob, PreparedCorpus, ResolvedVariant } from '../formats/types.ts' */
/** @import { WorkerOutcome } from './run-worker.js' */

/** A job that failed is tried again this often before its cell is given up. */
const MAX_ATTEMPTS = 3;

/**
 * @typedef {object} Progress
 * @property {string} cellId
 * @property {number} block counted from 1
 * @property {number} blockCount up to the next look
 * @property {CellComparison | null} latest the cell as it stood at the last look
 * @property {number} worstSecondsLeft if every cell that measures goes to its last look
 */

/**
 * @typedef {object} MeasureContext
 * @property {Pick<Manifest, 'question' | 'variants' | 'corpora' | 'settings' | 'packages' | 'expectedDigests'>} manifest
 * @property {string} familyPath
 * @property {Observation[]} observations what earlier sessions left; grows in place
 * @property {Record<string, number[]>} [interimLooks] by cell id, at which they gave a verdict
 * @property {(job: Job) => Promise<WorkerOutcome>} runJob
 * @property {(observation: Observation) => void} keep called after each job, before the next starts
 * @property {(progress: Progress) => void} onProgress called before each job
 * @property {() => number} elapsedMs since the run was made
 * @property {() => boolean} isInterrupted
 * @property {() => boolean} isOverBudget
 */

/**
 * Runs the timed jobs of a run, look by look, until every cell is decided or something ends it.
 * Which cells go on after a look depends on the observations and verdicts up to that look alone, so a
 * run that was killed and resumed takes the decisions that an undisturbed one would have taken.
 *
 * @param {MeasureContext} context
 * @returns {Promise<'complete' | 'budget' | 'interrupted' | 'failed'>}
 */
export async function measureTimes(context) {
  const { question } = context.manifest;
  /** @type {Set<string>} */
  const failed = new Set();
  /** @type {Set<string>} */
  const stopped = new Set();
  let measuring = question.cells;
  /** @type {CellComparison[]} */
  let latest = [];
  let from = 0;
  for (const to of question.looks) {
    const stage = planJobs(question, measuring, { from, to });
    const done = doneJobs(context.observations);
    const missing = stage.filter(({ id }) => !done.has(id));
    for (const [index, job] of missing.entries()) {
      if (context.isInterrupted()) return 'interrupted';
      if (context.isOverBudget()) return failed.size > 0 ? 'failed' : 'budget';
      if (stopped.has(job.cellId)) continue;
      context.onProgress({
        cellId: job.cellId,
        block: job.block + 1,
        blockCount: to / PROCESSES_PER_BLOCK,
        latest: latest.find(({ cell }) => cell.id === job.cellId) ?? null,
        worstSecondsLeft: estimateSecondsLeft(context, measuring, to, missing.length - index),
      });
      const ended = await runWithRetries(job, context);
      if (ended === 'interrupted') return 'interrupted';
      if (ended === 'failed') failed.add(job.cellId);
      if (ended !== 'done') stopped.add(job.cellId);
    }
    const comparison = compareUpTo(context, to);
    latest = comparison.cells;
    measuring = measuring.filter(({ id }) => !comparison.decided[id] && !stopped.has(id));
    from = to;
  }
  return failed.size > 0 ? 'failed' : 'complete';
}

/**
 * @param {MeasureContext} context
 * @param {number} processes a side
 */
function compareUpTo({ manifest, observations, interimLooks = {} }, processes) {
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
 * @param {PlannedJob} planned
 * @param {MeasureContext} context
 * @returns {Promise<'done' | 'wrong-output' | 'failed' | 'interrupted'>}
 */
async function runWithRetries(planned, context) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const startedAtMs = context.elapsedMs();
    const outcome = await context.runJob(makeJob(planned, context));
    if (context.isInterrupted()) return 'interrupted';
    const observation = makeObservation(planned, attempt, startedAtMs, outcome);
    context.observations.push(observation);
    context.keep(observation);
    if (observation.outcome === 'done') {
      const expected = context.manifest.expectedDigests[planned.cellId];
      return observation.outputDigest === expected ? 'done' : 'wrong-output';
    }
  }
  return 'failed';
}

/**
 * @param {PlannedJob} planned
 * @param {MeasureContext} context
 * @returns {Job}
 */
function makeJob(planned, { manifest, familyPath }) {
  const { question, variants } = manifest;
  const cell = /** @type {Cell} */ (question.cells.find(({ id }) => id === planned.cellId));
  const variant = planned.arm === 'candidate' ? variants.candidate : variants.baseline;
  const family = { name: question.family, path: familyPath };
  return makeMeasureJob(planned.id, cell, { variant, family }, manifest);
}

/**
 * @param {PlannedJob} planned
 * @param {number} attempt
 * @param {number} startedAtMs
 * @param {WorkerOutcome} outcome
 * @returns {Observation}
 */
function makeObservation(planned, attempt, startedAtMs, outcome) {
  const { id: jobId, cellId, arm, block, position } = planned;
  const identity = { formatVersion: FORMAT_VERSION, jobId, cellId, arm, block, position, attempt };
  return { ...identity, startedAtMs, ...describeMeasured(outcome) };
}

/**
 * @param {Observation[]} observations
 * @returns {Set<string>} ids of the jobs that have been measured
 */
function doneJobs(observations) {
  const done = observations.filter(({ outcome }) => outcome === 'done');
  return new Set(done.map(({ jobId }) => jobId));
}

/**
 * @param {MeasureContext} context
 * @param {Cell[]} measuring
 * @param {number} look the next one
 * @param {number} jobsToLook
 * @returns {number}
 */
function estimateSecondsLeft({ manifest, observations }, measuring, look, jobsToLook) {
  if (observations.length === 0) return NaN;
  const recent = observations.slice(-50);
  const meanMs = recent.reduce((sum, { workerMs }) => sum + workerMs, 0) / recent.length;
  const { looks } = manifest.question;
  const jobsAfter = (looks[looks.length - 1] - look) * measuring.length * 3;
  return ((jobsToLook + jobsAfter) * meanMs) / 1000;
}

/**
 * The job that times a variant on a cell.
 *
 * @param {string} id
 * @param {Cell} cell
 * @param {object} side
 * @param {ResolvedVariant} side.variant
 * @param {{ name: string, path: string }} side.family whose operations go with the variant
 * @param {Pick<Manifest, 'corpora' | 'settings' | 'packages'>} manifest
 * @returns {MeasureJob}
 */
export function makeMeasureJob(id, cell, { variant, family }, { corpora, settings, packages }) {
  const corpus = corpora.find(({ label }) => label === cell.corpus);
  return {
    formatVersion: FORMAT_VERSION,
    id,
    kind: 'measure',
    family: family.name,
    familyPath: family.path,
    variant: describeJobVariant(variant),
    ...describeJobNode(variant, cell),
    operation: cell.operation,
    corpus: /** @type {PreparedCorpus} */ (corpus),
    settings,
    packages,
  };
}

/**
 * What such a job brought.
 *
 * @typedef {{ workerMs: number } & (
 *   | { outcome: 'failed', failure: Failure }
 *   | ({ outcome: 'done' } & Pick<MeasureReport, 'outputDigest' | 'measurement'>)
 * )} Measured
 */

/**
 * @param {WorkerOutcome} outcome of such a job
 * @returns {Measured} as observations have it
 */
export function describeMeasured(outcome) {
  const { workerMs } = outcome;
  if ('failure' in outcome) return { workerMs, outcome: 'failed', failure: outcome.failure };
  const { outputDigest, measurement } = /** @type {MeasureReport} */ (outcome.report);
  return { workerMs, outcome: 'done', outputDigest, measurement };
}

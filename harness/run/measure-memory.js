import { FORMAT_VERSION } from '../formats/format-version.js';
import { describeJobNode, describeJobVariant } from './job-runner.js';
import { planMemoryJobs } from '../stats/plan.js';
import { MEMORY_KINDS } from '../formats/memory-kinds.js';

/** @import { Cell, CellMemoryJob, CorpusMemoryJob, Job, Manifest, MemoryJob, MemoryObservation, MemoryReport, PlannedMemoryJob, PreparedCorpus } from '../formats/types.ts' */
/** @import { WorkerOutcome } from './run-worker.js' */

/** A job that failed is tried once more; what fails twice for want of memory fails always. */
const MAX_ATTEMPTS = 2;

/**
 * @typedef {object} MemoryProgress
 * @property {PlannedMemoryJob} job the next one
 * @property {number} done jobs before it
 * @property {number} total
 * @property {number} secondsLeft NaN where not known
 */

/**
 * @typedef {object} MemoryContext
 * @property {Manifest} manifest
 * @property {string} familyPath
 * @property {MemoryObservation[]} observations what earlier sessions left; grows in place
 * @property {(job: Job) => Promise<WorkerOutcome>} runJob
 * @property {(observation: MemoryObservation) => void} keep called after each job
 * @property {(progress: MemoryProgress) => void} onProgress called before each job
 * @property {() => number} elapsedMs since the run was made
 * @property {() => boolean} isInterrupted
 * @property {() => boolean} isOverBudget
 */

/**
 * Runs the memory jobs of a run that are not done yet, one process each.
 *
 * @param {MemoryContext} context
 * @returns {Promise<'complete' | 'budget' | 'interrupted' | 'failed'>} `failed` when a job brought no
 *   result
 */
export async function measureMemory(context) {
  const { question, corpora } = context.manifest;
  const planned = planMemoryJobs(question, corpora);
  const done = new Set(
    context.observations.filter(({ outcome }) => outcome === 'done').map(({ id }) => id),
  );
  const missing = planned.filter(({ id }) => !done.has(id));
  const total = planned.length;
  let failed = false;
  for (const [index, job] of missing.entries()) {
    if (context.isInterrupted()) return 'interrupted';
    if (context.isOverBudget()) return failed ? 'failed' : 'budget';
    const secondsLeft = estimateSecondsLeft(missing.slice(index), context.observations);
    context.onProgress({ job, done: total - missing.length + index, total, secondsLeft });
    const ended = await runWithRetries(job, context);
    if (ended === 'interrupted') return 'interrupted';
    failed ||= ended === 'failed';
  }
  return failed ? 'failed' : 'complete';
}

/**
 * A job takes as long as those of its kind did, or, before there is one, as long as the others.
 *
 * @param {PlannedMemoryJob[]} missing
 * @param {MemoryObservation[]} observations
 * @returns {number} NaN before the first observation
 */
function estimateSecondsLeft(missing, observations) {
  /** @param {MemoryObservation[]} those */
  const takeMeanMs = (those) =>
    those.reduce((sum, { workerMs }) => sum + workerMs, 0) / those.length;
  const meanMs = takeMeanMs(observations);
  const sumMs = MEMORY_KINDS.reduce((sum, kind) => {
    const count = missing.filter((job) => job.kind === kind).length;
    const seen = observations.filter((one) => one.kind === kind);
    return sum + count * (seen.length === 0 ? meanMs : takeMeanMs(seen));
  }, 0);
  return sumMs / 1000;
}

/**
 * @param {PlannedMemoryJob} planned
 * @param {MemoryContext} context
 * @returns {Promise<'done' | 'failed' | 'interrupted'>}
 */
async function runWithRetries(planned, context) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const startedAtMs = context.elapsedMs();
    const outcome = await context.runJob(makeMemoryJob(planned, context));
    if (context.isInterrupted()) return 'interrupted';
    const common = {
      formatVersion: FORMAT_VERSION,
      ...planned,
      attempt,
      startedAtMs,
      workerMs: outcome.workerMs,
    };
    /** @type {MemoryObservation} */
    const observation =
      'failure' in outcome
        ? { ...common, outcome: 'failed', failure: outcome.failure }
        : { ...common, outcome: 'done', result: takeResult(outcome.report) };
    context.observations.push(observation);
    context.keep(observation);
    if (observation.outcome === 'done') return 'done';
  }
  return 'failed';
}

/** @param {import('../formats/types.ts').WorkerReport} report */
function takeResult(report) {
  return /** @type {MemoryReport} */ (report).result;
}

/**
 * @param {PlannedMemoryJob} planned
 * @param {Pick<MemoryContext, 'manifest' | 'familyPath'>} context
 * @returns {MemoryJob}
 */
function makeMemoryJob({ id, kind, subject, arm, documentCount }, { manifest, familyPath }) {
  const { question, variants, corpora } = manifest;
  const variant = arm === 'candidate' ? variants.candidate : variants.baseline;
  // A corpus is held under the Node of the cells that use it: a question about memory has only one.
  const cell = /** @type {Cell} */ (
    question.cells.find(({ id, corpus }) => (documentCount === null ? id : corpus) === subject)
  );
  const common = {
    formatVersion: FORMAT_VERSION,
    id,
    family: question.family,
    familyPath,
    variant: describeJobVariant(variant),
    ...describeJobNode(variant, cell),
    corpus: /** @type {PreparedCorpus} */ (corpora.find(({ label }) => label === cell.corpus)),
  };
  if (documentCount !== null) {
    const held = /** @type {CorpusMemoryJob['kind']} */ (kind);
    return { ...common, kind: held, documentCount };
  }
  const ofCell = /** @type {CellMemoryJob['kind']} */ (kind);
  return { ...common, kind: ofCell, operation: cell.operation };
}

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '../lib/errors.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { describeMeasured, makeMeasureJob } from './timing.js';
import { MOST_CELLS, planLayouts } from '../stats/placement.js';
import { findUneditable, makeCopies, nameLayout } from '../variants/placement/copies.js';

/** @import { Cell, CellComparison, Job, LayoutObservation, Manifest, PlannedLayoutJob } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Measured } from './timing.js' */
/** @import { WorkerOutcome } from './run-worker.js' */
/** @import { Copies, EditedVariant } from '../variants/placement/copies.js' */

/** Jobs by which the time that is left is told. */
const RECENT_JOBS = 30;

/**
 * @typedef {object} LayoutProgress
 * @property {PlannedLayoutJob} layoutJob the next one
 * @property {number} done jobs before it
 * @property {number} total
 * @property {number} secondsLeft NaN where not known
 */

/**
 * @typedef {object} LayoutContext
 * @property {string} path of the run
 * @property {Manifest} manifest
 * @property {Pick<FoundFamily, 'path'>} family
 * @property {LayoutObservation[]} observations what earlier sessions left; grows in place
 * @property {(job: Job) => Promise<WorkerOutcome>} runJob
 * @property {(observation: LayoutObservation) => void} keep called after each job
 * @property {(progress: LayoutProgress) => void} onProgress called before each job
 * @property {() => number} elapsedMs since the run was made
 * @property {() => boolean} isInterrupted
 * @property {() => boolean} isOverBudget
 */

/**
 * Measures both sides of cells in other layouts, as far as that is not done. What fails is kept as an
 * observation and ends nothing. Copies are made anew when they are needed, the same each time.
 *
 * @param {CellComparison[]} cells that are due, the most urgent first
 * @param {LayoutContext} context
 * @returns {Promise<'complete' | 'interrupted'>}
 */
export async function measurePlacement(cells, context) {
  const { question, variants } = context.manifest;
  const { layouts = 0 } = question;
  const sides = [variants.baseline, variants.candidate];
  if (sides.some(({ program }) => program !== undefined)) return 'complete';
  const done = new Set(context.observations.map(({ id }) => id));
  const missing = cells
    .slice(0, MOST_CELLS)
    .flatMap(({ cell }) => planLayouts(question, cell.id, layouts))
    .filter(({ id }) => !done.has(id));
  const copiesPath = join(context.path, 'artefacts', 'layouts');
  try {
    if (missing.length === 0) return 'complete';
    return await runJobs(missing, context, makeCopies(copiesPath, context));
  } finally {
    // The seed makes them again; their links lead out of the run. A session that was killed left its.
    rmSync(copiesPath, { recursive: true, force: true });
  }
}

/**
 * @param {PlannedLayoutJob[]} missing
 * @param {LayoutContext} context
 * @param {Copies} copies
 * @returns {Promise<'complete' | 'interrupted'>}
 */
async function runJobs(missing, context, copies) {
  const uneditable = findUneditable(copies);
  for (const [index, planned] of missing.entries()) {
    if (context.isInterrupted()) return 'interrupted';
    if (context.isOverBudget()) return 'complete';
    const copy = uneditable ?? copies.get(nameLayout(planned));
    if (copy === undefined || isGivenUp(planned, context)) continue;
    const startedAtMs = context.elapsedMs();
    if (copy instanceof AssayError) {
      keep({ ...identify(planned, startedAtMs), ...failToCopy(copy) }, context);
      continue;
    }
    const total = missing.length;
    const secondsLeft = estimateSecondsLeft(context.observations, total - index);
    context.onProgress({ layoutJob: planned, done: index, total, secondsLeft });
    const outcome = await context.runJob(makeJob(planned, context.manifest, copy));
    if (context.isInterrupted()) return 'interrupted';
    keep({ ...identify(planned, startedAtMs), ...describeMeasured(outcome) }, context);
  }
  return 'complete';
}

/**
 * @param {PlannedLayoutJob} planned
 * @param {LayoutContext} context
 * @returns {boolean} whether a job of its layout went wrong, for which the layout does not count
 */
function isGivenUp({ cellId, arm, layout }, { manifest, observations }) {
  return observations.some((observation) => {
    const isSame = observation.arm === arm && observation.layout === layout;
    if (!isSame || observation.cellId !== cellId) return false;
    if (observation.outcome === 'failed') return true;
    return observation.outputDigest !== manifest.expectedDigests[cellId];
  });
}

/**
 * @param {PlannedLayoutJob} planned
 * @param {number} startedAtMs
 */
function identify(planned, startedAtMs) {
  return { formatVersion: FORMAT_VERSION, ...planned, startedAtMs };
}

/**
 * @param {AssayError} error
 * @returns {Measured} without a process
 */
function failToCopy({ message }) {
  const reason = /** @type {const} */ ('no-copy');
  return { workerMs: 0, outcome: 'failed', failure: { reason, detail: message, lastLines: [] } };
}

/**
 * @param {LayoutObservation} observation
 * @param {LayoutContext} context
 */
function keep(observation, context) {
  context.observations.push(observation);
  context.keep(observation);
}

/**
 * @param {PlannedLayoutJob} planned
 * @param {Manifest} manifest
 * @param {EditedVariant} copy
 * @returns {Job}
 */
function makeJob({ id, cellId }, manifest, { variant, familyPath }) {
  const { cells, family: name } = manifest.question;
  const cell = /** @type {Cell} */ (cells.find((each) => each.id === cellId));
  return makeMeasureJob(id, cell, { variant, family: { name, path: familyPath } }, manifest);
}

/**
 * @param {LayoutObservation[]} observations
 * @param {number} jobs
 */
function estimateSecondsLeft(observations, jobs) {
  const recent = observations.filter(({ workerMs }) => workerMs > 0).slice(-RECENT_JOBS);
  const totalMs = recent.reduce((sum, { workerMs }) => sum + workerMs, 0);
  return (jobs * totalMs) / recent.length / 1000;
}

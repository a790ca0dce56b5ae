import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { AssayError } from '../lib/errors.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { makeDirectory } from '../lib/files.js';
import { makeRecordContext } from './make-record-context.js';
import { nameArtefact } from '../profiling/plan-profiles.js';

/** @import { Exercise, PlannedProfileJob, ProfileObservation, Recorder, RecorderHost } from '../formats/types.ts' */
/** @import { Recordable } from './make-record-context.js' */

/** Where a run keeps what recorders leave behind. */
const PROFILES = join('artefacts', 'profiles');
const FOLDER_REMEDY =
  'free some space or check the permissions, then go on with: just compare --resume RUN';

/**
 * @typedef {object} ProfileProgress
 * @property {PlannedProfileJob} profileJob the next one
 * @property {number} done jobs before it
 * @property {number} total
 */

/**
 * @typedef {object} ProfileContext
 * @property {string} path of the run
 * @property {Recordable} manifest
 * @property {string} familyPath
 * @property {Recorder[]} recorders those that can work here
 * @property {RecorderHost} host
 * @property {ProfileObservation[]} observations what earlier sessions left; grows in place
 * @property {(observation: ProfileObservation) => void} keep called after each job
 * @property {(progress: ProfileProgress) => void} onProgress called before each job
 * @property {() => number} elapsedMs since the run was made
 * @property {AbortSignal} signal
 */

/**
 * Runs the jobs of the second pass that are not done yet. Both sides are recorded at once, each on a
 * processor of its own where there are two: what counts is how a side's time is shared out, and so
 * both meet the same neighbours. A job that fails is a note in the report and nothing more: the
 * verdict stands without it.
 *
 * @param {PlannedProfileJob[]} planned
 * @param {ProfileContext} context
 * @returns {Promise<'complete' | 'interrupted'>}
 */
export async function recordProfiles(planned, context) {
  makeDirectory(join(context.path, PROFILES), FOLDER_REMEDY);
  const done = new Set(
    context.observations.flatMap(({ id, outcome }) => (outcome === 'done' ? [id] : [])),
  );
  const left = planned.filter(({ id }) => !done.has(id));
  let count = planned.length - left.length;
  for (const batch of batchJobs(left, context.recorders)) {
    if (context.signal.aborted) return 'interrupted';
    context.onProgress({ profileJob: batch[0], done: count, total: planned.length });
    const observations = await Promise.all(batch.map((job) => recordOnce(job, context)));
    if (context.signal.aborted) return 'interrupted';
    for (const observation of observations) {
      context.observations.push(observation);
      context.keep(observation);
    }
    count += batch.length;
  }
  return 'complete';
}

/**
 * @param {PlannedProfileJob[]} jobs
 * @param {Recorder[]} recorders
 * @returns {[PlannedProfileJob, ...PlannedProfileJob[]][]} jobs that run at the same time
 */
function batchJobs(jobs, recorders) {
  const timed = new Set(recorders.filter(({ isTimed }) => isTimed).map(({ name }) => name));
  /** @type {[PlannedProfileJob, ...PlannedProfileJob[]][]} */
  const batches = [];
  for (const job of jobs) {
    const last = batches.at(-1);
    const isPair =
      last?.length === 1 &&
      last[0].recorder === job.recorder &&
      last[0].cellId === job.cellId &&
      last[0].process === job.process;
    if (isPair && availableParallelism() > 1 && !timed.has(job.recorder)) last.push(job);
    else batches.push([job]);
  }
  return batches;
}

/**
 * @param {PlannedProfileJob} planned
 * @param {ProfileContext} context
 * @returns {Promise<ProfileObservation>}
 */
async function recordOnce(planned, context) {
  const recorder = context.recorders.find(({ name }) => name === planned.recorder);
  if (recorder === undefined) throw new Error(`no recorder '${planned.recorder}'`);
  const startedAtMs = context.elapsedMs();
  const startMs = performance.now();
  const describe = () => ({
    formatVersion: FORMAT_VERSION,
    ...planned,
    startedAtMs,
    workerMs: performance.now() - startMs,
  });
  const artefactBase = locateArtefacts(planned, context);
  const recordContext = makeRecordContext(planned, artefactBase, context);
  const earlier = listArtefacts(artefactBase);
  try {
    const recorded = await recorder.record(recordContext);
    return {
      ...describe(),
      outcome: 'done',
      exercise: withoutObserved(recorded.exercise),
      artefacts: recorded.artefacts.map((path) => relative(context.path, path)),
      ...(recorded.figures === undefined ? {} : { figures: recorded.figures }),
    };
  } catch (error) {
    for (const file of listArtefacts(artefactBase)) {
      // Half a file is of no use, and on a full disk it takes the room of the verdict.
      if (!earlier.includes(file)) rmSync(file, { force: true, recursive: true });
    }
    return { ...describe(), outcome: 'failed', detail: describeFailure(error) };
  }
}

/**
 * @param {PlannedProfileJob} planned
 * @param {ProfileContext} context
 * @returns {string} absolute path that all artefacts of the job begin with
 */
function locateArtefacts(planned, { path, manifest: { question } }) {
  const cells = question.shard?.cells ?? question.cells;
  return join(path, PROFILES, nameArtefact(planned, cells));
}

/**
 * @param {string} artefactBase
 * @returns {string[]} absolute paths of the files there are that begin so
 */
function listArtefacts(artefactBase) {
  const folder = dirname(artefactBase);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(artefactBase)}.`))
    .map((name) => join(folder, name));
}

/**
 * Whatever a recorder throws, a full disk and a defect of its own included, must not cost the verdict.
 *
 * @param {unknown} error
 * @returns {string}
 */
function describeFailure(error) {
  if (error instanceof AssayError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * @param {Exercise | null} exercise
 * @returns {Exercise | null} without what the recorder has made figures of
 */
function withoutObserved(exercise) {
  if (exercise === null) return null;
  const { documents, wallMs, window, collections } = exercise;
  return { documents, wallMs, window, collections };
}

import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { chooseExecutable } from './choose-executable.js';
import { AssayError, MachineError } from './errors.js';
import { FORMAT_VERSION } from './format-version.js';
import { describeJobNode, describeJobVariant } from './job-variant.js';
import { makeDirectory } from './make-directory.js';
import { nameArtefact } from './name-artefact.js';
import { PROJECT } from './project.js';
import { findReason } from './recorders/support/run-tool.js';
import { runWorker } from './run-worker.js';

/** @import { Cell, Exercise, ExerciseJob, PlannedProfileJob, PreparedCorpus, ProfileObservation, Question, RecordContext, Recorder, RecorderHost, ResolvedVariant, Runtime } from './types.ts' */

/** Where a run keeps what recorders leave behind. */
const PROFILES = join('artefacts', 'profiles');
const FOLDER_REMEDY =
  'free some space or check the permissions, then go on with: just compare --resume RUN';
/** An exercise takes a second; under an instruction counter it takes fifty. */
const EXERCISE_TIMEOUT_MS = 120_000;

/**
 * @typedef {object} ProfileProgress
 * @property {PlannedProfileJob} profileJob the next one
 * @property {number} done jobs before it
 * @property {number} total
 */

/**
 * What of a manifest a recorder needs.
 *
 * @typedef {object} Recordable
 * @property {Pick<Question, 'family' | 'cells' | 'nodeFlags' | 'shard'>} question
 * @property {Record<'baseline' | 'candidate', ResolvedVariant>} variants
 * @property {PreparedCorpus[]} corpora
 * @property {Runtime[]} runtimes
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
  const recordContext = makeContext(planned, context);
  const earlier = listArtefacts(recordContext.artefactBase);
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
    for (const file of listArtefacts(recordContext.artefactBase)) {
      // Half a file is of no use, and on a full disk it takes the room of the verdict.
      if (!earlier.includes(file)) rmSync(file, { force: true, recursive: true });
    }
    return { ...describe(), outcome: 'failed', detail: describeFailure(error) };
  }
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

/**
 * @param {PlannedProfileJob} planned
 * @param {ProfileContext} context
 * @returns {RecordContext}
 */
function makeContext(planned, { path, manifest, familyPath, host, signal }) {
  const { question } = manifest;
  const job = makeExerciseJob(planned, manifest, familyPath);
  const executable = chooseExecutable(job.node, manifest.runtimes);
  const node = { executable, flags: question.nodeFlags };
  return {
    host,
    job,
    node,
    workerPath: PROJECT.workerPath,
    artefactBase: join(
      path,
      PROFILES,
      nameArtefact(planned, question.shard?.cells ?? question.cells),
    ),
    signal,
    async exercise({ work, observer, observedPath, flags = [], wrapper = [], timeoutMs }) {
      const words = [...wrapper, node.executable, ...node.flags, ...flags, PROJECT.workerPath];
      const [program, ...args] = /** @type {[string, ...string[]]} */ (words);
      /** @type {ExerciseJob} */
      const exerciseJob = {
        ...job,
        work,
        observer: observer ?? null,
        observedPath: observedPath ?? null,
      };
      const outcome = await runWorker(exerciseJob, {
        executable: program,
        args,
        environment: host.environment,
        timeoutMs: timeoutMs ?? EXERCISE_TIMEOUT_MS,
        signal,
      });
      if ('failure' in outcome) {
        const { detail, lastLines } = outcome.failure;
        throw new MachineError(`the worker ${detail}: ${findReason(lastLines.join('\n'))}`);
      }
      return /** @type {{ exercise: Exercise }} */ (outcome.report).exercise;
    },
  };
}

/**
 * @param {PlannedProfileJob} planned
 * @param {Recordable} manifest
 * @param {string} familyPath
 * @returns {RecordContext['job']}
 */
function makeExerciseJob({ id, cellId, arm }, { question, variants, corpora }, familyPath) {
  const cell = /** @type {Cell} */ (question.cells.find((candidate) => candidate.id === cellId));
  return {
    kind: 'exercise',
    formatVersion: FORMAT_VERSION,
    id,
    family: question.family,
    familyPath,
    variant: describeJobVariant(variants[arm]),
    ...describeJobNode(variants[arm], cell),
    operation: cell.operation,
    corpus: /** @type {PreparedCorpus} */ (corpora.find(({ label }) => label === cell.corpus)),
  };
}

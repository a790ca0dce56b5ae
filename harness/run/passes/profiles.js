import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { describeFailure } from '../../lib/failures.js';
import { AssayError, MachineError } from '../../lib/errors.js';
import { makeDirectory } from '../../lib/files.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { omitUndefined } from '../../lib/records.js';
import { nameArtefact } from '../../profiling/plan-profiles.js';
import { findEdits } from '../../profiling/sources/edits.js';
import { openSources } from '../../profiling/sources/open-sources.js';
import { armsOf, findCell, sharedIdOf } from '../../stats/plan.js';
import { knownRuntime } from '../../variants/runtimes.js';
import {
  chooseStart,
  composeCommand,
  describeEquipment,
  describeJobRuntime,
  describeJobVariant,
  findCorpus,
  takesFlags,
} from '../jobs.js';

/** @import { Cell, Exercise, ExerciseJob, Experiment, PlannedProfileJob, ProfileObservation, Question, RecordContext, Recorder, RecorderHost } from '../../formats/types.ts' */
/** @import { Pass, Performed } from '../execute.js' */
/** @import { RunJob } from '../jobs.js' */
/** @import { Setting } from './timing.js' */

/** Folder of recorded profiles, relative to the directory of a run. */
const PROFILES = join('artefacts', 'profiles');
/** Milliseconds of a job, roughly. */
export const PROFILE_JOB_MS = 3_000;
/** Those of the arms. */
const JOBS_OF_PAIR = 2;
const FOLDER_REMEDY = `free some space or check the permissions, then resume with: ${PROGRAM} compare --resume RUN`;

/**
 * @typedef {Setting & {
 *   path: string,
 *   recorders: Recorder[],
 *   host: RecorderHost,
 *   signal: AbortSignal,
 * }} ProfileSetting with the directory of the run, the recorders that can work, and what they may use
 */

/**
 * Opens the pass of the profile jobs. Both arms are recorded at the same time, each on its own
 * processor if there are two: a profile shows how the time of an arm is distributed, and so both have
 * the same neighbours. With four processors two such pairs run at a time. A failed job is a note in the report and fails nothing else: the verdict stands
 * without it.
 *
 * @param {PlannedProfileJob[]} planned
 * @param {ProfileSetting} setting
 * @returns {Pass<PlannedProfileJob, ProfileObservation>}
 */
export function openProfilePass(planned, setting) {
  const { question } = setting.manifest;
  makeDirectory(join(setting.path, PROFILES), FOLDER_REMEDY);
  return {
    name: 'profiles',
    stages: [planned],
    kindOf: ({ recorder }) => recorder,
    usualMs: PROFILE_JOB_MS,
    unitOf: ({ recorder, process, ...job }) =>
      `${recorder}/${sharedIdOf(findCell(question.cells, job))}/${process}`,
    artefactBaseOf: (job) => nameArtefacts(job, question),
    group: (jobs) => pairArms(jobs, { recorders: setting.recorders, cells: question.cells }),
    width: countPairs(planned, { recorders: setting.recorders, cells: question.cells }),
    perform: (job, runJob) => recordOnce(job, runJob, setting),
    describe: ({ id }, { left, total }) => ({
      step: `profile · ${id} · job ${total - left.length + 1} of ${total}`,
    }),
  };
}

/**
 * @param {PlannedProfileJob[]} jobs
 * @param {{ recorders: Recorder[], cells: Cell[] }} run with all its cells
 * @returns {PlannedProfileJob[][]} jobs that run at the same time
 */
export function pairArms(jobs, { recorders, cells }) {
  const cellOf = (/** @type {PlannedProfileJob} */ job) => sharedIdOf(findCell(cells, job));
  const timed = new Set(recorders.filter(({ isTimed }) => isTimed).map(({ name }) => name));
  /** @type {PlannedProfileJob[][]} */
  const groups = [];
  for (const job of jobs) {
    const last = groups.at(-1);
    const isPair =
      last?.length === 1 &&
      last[0].recorder === job.recorder &&
      cellOf(last[0]) === cellOf(job) &&
      last[0].process === job.process;
    if (isPair && availableParallelism() > 1 && !timed.has(job.recorder)) last.push(job);
    else groups.push([job]);
  }
  return groups;
}

/**
 * Counts the pairs of jobs that run at the same time: two, where each job has a processor of its own, since figures of profiles
 * are shares and counts. A recorder that measures time runs alone, and so does a pair of clients, beside their servers.
 *
 * @param {PlannedProfileJob[]} jobs
 * @param {{ recorders: Recorder[], cells: Cell[] }} run with all its cells
 * @param {number} [processors]
 * @returns {number}
 */
export function countPairs(jobs, { recorders, cells }, processors = availableParallelism()) {
  const timed = new Set(recorders.filter(({ isTimed }) => isTimed).map(({ name }) => name));
  const isAlone = (/** @type {PlannedProfileJob} */ job) =>
    timed.has(job.recorder) || findCell(cells, job).sharesCore === true;
  return processors >= 2 * JOBS_OF_PAIR && !jobs.some(isAlone) ? 2 : 1;
}

/** @type {(planned: PlannedProfileJob, runJob: RunJob, setting: ProfileSetting) => Promise<Performed>} */
async function recordOnce(planned, runJob, setting) {
  const startMs = performance.now();
  const artefactBase = join(setting.path, nameArtefacts(planned, setting.manifest.question));
  const recordContext = makeRecordContext(planned, artefactBase, runJob, setting);
  const earlier = listArtefacts(artefactBase);
  try {
    const recorder = setting.recorders.find(({ name }) => name === planned.recorder);
    if (recorder === undefined) throw new MachineError(`'${planned.recorder}' does not work here`);
    const { exercise, artefacts, figures } = await recorder.record(recordContext);
    return {
      workerMs: performance.now() - startMs,
      outcome: 'done',
      exercise: withoutObserved(exercise),
      artefacts: artefacts.map((path) => relative(setting.path, path)),
      ...omitUndefined({ figures }),
    };
  } catch (error) {
    for (const file of listArtefacts(artefactBase)) {
      // Half a file is of no use, and on a full disk it takes the space that the verdict needs.
      if (!earlier.includes(file)) rmSync(file, { force: true, recursive: true });
    }
    const workerMs = performance.now() - startMs;
    return { workerMs, outcome: 'failed', detail: explainError(error) };
  }
}

/** @type {(planned: PlannedProfileJob, question: Question) => string} relative to the run */
function nameArtefacts(planned, question) {
  return join(PROFILES, nameArtefact(planned, question.cells));
}

/** @type {(artefactBase: string) => string[]} absolute paths of the files that begin with it */
function listArtefacts(artefactBase) {
  const folder = dirname(artefactBase);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(artefactBase)}.`))
    .map((name) => join(folder, name));
}

/**
 * Any error of a recorder, a full disk or a defect, is recorded: the verdict must not depend on it.
 * @type {(error: unknown) => string}
 */
function explainError(error) {
  if (error instanceof AssayError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * @param {Exercise | null} exercise
 * @returns {Exercise | null} without the raw data that the recorder has made figures of
 */
function withoutObserved(exercise) {
  if (exercise === null) return null;
  const { documents, wallMs, window, collections } = exercise;
  return { documents, wallMs, window, collections };
}

/**
 * Makes the context of a recorder for one job: the job, and ways to start it.
 *
 * @param {PlannedProfileJob} planned
 * @param {string} artefactBase absolute path that all artefacts of the job begin with
 * @param {RunJob} runJob
 * @param {ProfileSetting} setting
 * @returns {RecordContext}
 */
function makeRecordContext(planned, artefactBase, runJob, { manifest, familyPath, host, signal }) {
  const { question, settings, runtimes } = manifest;
  const job = makeExerciseJob(planned, manifest, familyPath);
  const variants = armsOf(manifest, findCell(question.cells, planned));
  const isClient = findCell(question.cells, planned).sharesCore === true;
  const runtime = knownRuntime(job.runtime);
  const node = {
    ...chooseStart(job.runtime, runtimes),
    flags: takesFlags(runtime) ? question.nodeFlags : [],
    runtime,
    workerPath: PROJECT.workerPath,
  };
  return {
    host,
    job,
    command: composeCommand(job, node),
    node: job.variant.program === undefined ? node : null,
    artefactBase,
    signal,
    sources: openSources(job, findEdits(variants)[planned.arm]),
    async exercise({ work, observer = null, observedPath = null, ...how }) {
      const longer = isClient ? workLonger(work) : warmUpAsTimed(work, settings.warmUpMs);
      const outcome = await runJob({ ...job, work: longer, observer, observedPath }, how);
      if ('failure' in outcome) {
        throw new MachineError(`the worker ${describeFailure(outcome.failure)}`);
      }
      return /** @type {{ exercise: Exercise }} */ (outcome.report).exercise;
    },
  };
}

/**
 * @param {ExerciseJob['work']} work
 * @param {number} warmUpMs of the timed jobs
 * @returns {ExerciseJob['work']} with a warm-up that is at least as long
 */
function warmUpAsTimed(work, warmUpMs) {
  return 'passes' in work ? work : { ...work, warmUpMs: Math.max(work.warmUpMs, warmUpMs) };
}

/** A client is optimised far more slowly than a loop, and its calls vary more. */
const CLIENT_FACTOR = 6;

/** @type {(work: ExerciseJob['work']) => ExerciseJob['work']} */
function workLonger(work) {
  if ('passes' in work) return work;
  const { warmUpMs, recordMs } = work;
  return { warmUpMs: CLIENT_FACTOR * warmUpMs, recordMs: CLIENT_FACTOR * recordMs };
}

/**
 * @param {PlannedProfileJob} planned
 * @param {Experiment} manifest
 * @param {string} familyPath
 * @returns {RecordContext['job']}
 */
function makeExerciseJob(planned, manifest, familyPath) {
  const { question, corpora } = manifest;
  const cell = findCell(question.cells, planned);
  const variant = armsOf(manifest, cell)[planned.arm];
  return {
    kind: 'exercise',
    formatVersion: FORMAT_VERSION,
    id: planned.id,
    family: question.family,
    familyPath,
    variant: describeJobVariant(variant),
    ...(variant.program === undefined ? describeJobRuntime(variant, cell) : {}),
    operation: cell.operation,
    corpus: findCorpus(corpora, cell),
    ...omitUndefined({ concurrency: cell.concurrency }),
    ...describeEquipment(manifest),
  };
}

import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { findReason } from '../../host/tools.js';
import { AssayError, MachineError } from '../../lib/errors.js';
import { makeDirectory } from '../../lib/files.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { nameArtefact } from '../../profiling/plan-profiles.js';
import { armsOf, findCell, listAllCells, sharedIdOf } from '../../stats/plan.js';
import {
  chooseStart,
  describeEquipment,
  describeJobRuntime,
  describeJobVariant,
  findCorpus,
  runConfined,
  takesFlags,
} from '../jobs.js';
import { runPass } from './pass.js';
import { describeRuntime } from '../../variants/runtimes.js';

/** @import { Cell, Exercise, ExerciseJob, Manifest, MeasureSettings, PlannedProfileJob, PreparedCorpus, ProfileObservation, Question, RecordContext, Recorder, RecorderHost, ResolvedVariant, Runtime, WorkerProgram } from '../../formats/types.ts' */
/** @import { ConductPass, PassContext } from './pass.js' */

/** Folder of recorded profiles, relative to the directory of a run. */
const PROFILES = join('artefacts', 'profiles');
const FOLDER_REMEDY = `free some space or check the permissions, then resume with: ${PROGRAM} compare --resume RUN`;
/** Allowance for starting a worker, preparing a corpus, a long pass and writing the recording. */
const SPARE_MS = 30_000;
/** How many times longer than planned the work may take on a busy machine, with a slow recorder. */
const SLOWDOWN = 20;

/**
 * @typedef {object} Recordable the part of a manifest that recorders need
 * @property {Pick<Question, 'family' | 'cells' | 'nodeFlags' | 'shard'>} question
 * @property {Pick<MeasureSettings, 'warmUpMs'>} [settings] of the timed jobs
 * @property {{ baseline: ResolvedVariant, candidates: ResolvedVariant[] }} variants
 * @property {PreparedCorpus[]} corpora
 * @property {Manifest['packages']} [packages]
 * @property {Manifest['server']} [server]
 * @property {Runtime[]} runtimes
 */

/**
 * @typedef {Omit<PassContext<ProfileObservation, Recordable>, 'runJob' | 'untilMs'> & {
 *   path: string,
 *   recorders: Recorder[],
 *   host: RecorderHost,
 *   conduct?: ConductPass,
 * }} ProfileContext with the path of the run, the recorders that can work, and what runs the jobs, unless that is
 *   `runPass`
 */

/**
 * Runs the profile jobs that are not done yet. Both arms are recorded at the same time, each on its own
 * processor if there are two: a profile shows how the time of an arm is distributed, and so both have
 * the same neighbours. A failed job is a note in the report and fails nothing else: the verdict stands
 * without it.
 *
 * @param {PlannedProfileJob[]} planned
 * @param {ProfileContext} context
 * @returns {Promise<'complete' | 'interrupted'>}
 */
export async function recordProfiles(planned, context) {
  const { conduct = runPass } = context;
  const { question } = context.manifest;
  makeDirectory(join(context.path, PROFILES), FOLDER_REMEDY);
  const ended = await conduct(
    {
      name: 'profiles',
      stages: [planned],
      unitOf: ({ recorder, process, ...job }) =>
        `${recorder}/${sharedIdOf(findCell(question.cells, job))}/${process}`,
      artefactBaseOf: (job) => nameArtefacts(job, question),
      doneId: ({ id, outcome }) => (outcome === 'done' ? id : null),
      group: (jobs) => pairArms(jobs, { recorders: context.recorders, cells: question.cells }),
      observe: (job, attempt) => recordOnce(job, attempt, context),
      describe: ({ id }, { left, total }) => ({
        step: `profile · ${id} · job ${total - left.length + 1} of ${total}`,
      }),
    },
    { ...context, untilMs: Infinity },
  );
  return ended === 'interrupted' ? 'interrupted' : 'complete';
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

/** @type {(planned: PlannedProfileJob, attempt: number, context: ProfileContext) => Promise<ProfileObservation>} */
async function recordOnce(planned, attempt, context) {
  const startedAtMs = context.clock.elapsedMs();
  const startMs = performance.now();
  const describe = () => ({
    formatVersion: FORMAT_VERSION,
    ...planned,
    attempt,
    startedAtMs,
    workerMs: performance.now() - startMs,
  });
  const artefactBase = join(context.path, nameArtefacts(planned, context.manifest.question));
  const recordContext = makeRecordContext(planned, artefactBase, context);
  const earlier = listArtefacts(artefactBase);
  try {
    const recorder = context.recorders.find(({ name }) => name === planned.recorder);
    if (recorder === undefined) throw new MachineError(`'${planned.recorder}' does not work here`);
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
      // Half a file is of no use, and on a full disk it takes the space that the verdict needs.
      if (!earlier.includes(file)) rmSync(file, { force: true, recursive: true });
    }
    return { ...describe(), outcome: 'failed', detail: describeFailure(error) };
  }
}

/** @type {(planned: PlannedProfileJob, question: Recordable['question']) => string} relative to the run */
function nameArtefacts(planned, question) {
  return join(PROFILES, nameArtefact(planned, listAllCells(question)));
}

/**
 * @param {string} artefactBase
 * @returns {string[]} absolute paths of the files that begin with it
 */
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
function describeFailure(error) {
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
 * @param {ProfileContext} context
 * @returns {RecordContext}
 */
function makeRecordContext(planned, artefactBase, { manifest, familyPath, host, signal }) {
  const { question, settings, runtimes } = manifest;
  const job = makeExerciseJob(planned, manifest, familyPath);
  const isClient = findCell(question.cells, planned).sharesCore === true;
  const { program } = job.variant;
  const runtime = describeRuntime(job.runtime);
  const node =
    program === undefined
      ? {
          ...chooseStart(job.runtime, runtimes),
          flags: takesFlags(runtime) ? question.nodeFlags : [],
          runtime,
          workerPath: PROJECT.workerPath,
        }
      : null;
  return {
    host,
    job,
    command: composeCommand({ program, node }),
    node,
    artefactBase,
    signal,
    async exercise({ work, observer, observedPath, wrapper = [], writes, timeoutMs, ...wanted }) {
      const command = composeCommand({ program, node, ...wanted });
      /** @type {ExerciseJob} */
      const exerciseJob = {
        ...job,
        work: isClient ? workLonger(work) : warmUpAsTimed(work, settings?.warmUpMs ?? 0),
        observer: observer ?? null,
        observedPath: observedPath ?? null,
      };
      const outcome = await runConfined(
        exerciseJob,
        {
          ...command,
          environment: host.environment,
          timeoutMs: timeoutMs ?? limitExercise(exerciseJob.work),
          signal,
        },
        { sandbox: host.sandbox, wrapper, ...(writes === undefined ? {} : { writes }) },
      );
      if ('failure' in outcome) {
        const { detail, lastLines } = outcome.failure;
        throw new MachineError(`the worker ${detail}: ${findReason(lastLines.join('\n'))}`);
      }
      return /** @type {{ exercise: Exercise }} */ (outcome.report).exercise;
    },
  };
}

/**
 * @param {ExerciseJob['work']} work
 * @returns {number} milliseconds after which the worker is considered to hang; the number of passes says
 *   nothing about their time, so a recorder that asks for passes sets its own limit
 */
export function limitExercise(work) {
  return SPARE_MS + ('passes' in work ? 0 : SLOWDOWN * (work.warmUpMs + work.recordMs));
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
 * The command that starts a worker: a program of the family, or node.
 *
 * @param {object} wanted
 * @param {WorkerProgram | undefined} wanted.program
 * @param {RecordContext['node']} wanted.node null if there is a program
 * @param {string[]} [wanted.flags] of node
 * @param {'stacks' | 'instructions'} [wanted.records] by a profiler outside of the process
 * @returns {RecordContext['command']}
 */
function composeCommand({ program, node, flags = [], records }) {
  if (program !== undefined) {
    const { executable, args, recordingArgs = [], countingArgs = [] } = program;
    if (records === 'stacks') return { executable, args: [...recordingArgs, ...args] };
    if (records === 'instructions') return { executable, args: [...countingArgs, ...args] };
    return { executable, args };
  }
  if (node === null) throw new Error('neither a program nor node');
  const own = node.listArguments([...node.flags, ...flags]);
  return { executable: node.executable, args: [...own, node.workerPath] };
}

/**
 * @param {PlannedProfileJob} planned
 * @param {Recordable} manifest
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
    ...describeEquipment(manifest),
  };
}

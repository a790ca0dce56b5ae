import { chooseExecutable, describeJobNode, describeJobVariant } from './job-runner.js';
import { MachineError } from '../lib/errors.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { PROJECT } from '../lib/project.js';
import { findReason } from '../host/tools.js';
import { runConfined } from './sandbox/confine.js';

/** @import { Cell, Exercise, ExerciseJob, MeasureSettings, PlannedProfileJob, PreparedCorpus, Question, RecordContext, RecorderHost, ResolvedVariant, Runtime, WorkerProgram } from '../formats/types.ts' */

/** For starting a worker, preparing a corpus, a pass that takes long, and writing what was recorded. */
const SPARE_MS = 30_000;
/** How much longer than planned the work may take on a busy machine, with a recorder that slows it. */
const SLOWDOWN = 20;

/**
 * What of a manifest a recorder needs.
 *
 * @typedef {object} Recordable
 * @property {Pick<Question, 'family' | 'cells' | 'nodeFlags' | 'shard'>} question
 * @property {Pick<MeasureSettings, 'warmUpMs'>} [settings] of the timed jobs
 * @property {Record<'baseline' | 'candidate', ResolvedVariant>} variants
 * @property {PreparedCorpus[]} corpora
 * @property {Runtime[]} runtimes
 */

/**
 * What a recorder is given of one job: what to look at, and ways to start it.
 *
 * @param {PlannedProfileJob} planned
 * @param {string} artefactBase absolute path that all artefacts of the job begin with
 * @param {object} context
 * @param {Recordable} context.manifest
 * @param {string} context.familyPath
 * @param {RecorderHost} context.host
 * @param {AbortSignal} context.signal
 * @returns {RecordContext}
 */
export function makeRecordContext(planned, artefactBase, { manifest, familyPath, host, signal }) {
  const { question, settings, runtimes } = manifest;
  const job = makeExerciseJob(planned, manifest, familyPath);
  const { program } = job.variant;
  const node = program === undefined ? chooseNode(job, question.nodeFlags, runtimes) : null;
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
        work: warmUpAsTimed(work, settings?.warmUpMs ?? 0),
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
 * @returns {number} milliseconds after which a worker hangs; a number of passes says nothing about
 *   their time, so whoever asks for passes sets a limit of their own
 */
export function limitExercise(work) {
  return SPARE_MS + ('passes' in work ? 0 : SLOWDOWN * (work.warmUpMs + work.recordMs));
}

/**
 * @param {RecordContext['job']} job
 * @param {string[]} flags
 * @param {Runtime[]} runtimes
 * @returns {NonNullable<RecordContext['node']>}
 */
function chooseNode({ node }, flags, runtimes) {
  return { executable: chooseExecutable(node, runtimes), flags, workerPath: PROJECT.workerPath };
}

/**
 * What starts a worker: a program of the family's own, or node.
 *
 * @param {object} wanted
 * @param {WorkerProgram | undefined} wanted.program
 * @param {RecordContext['node']} wanted.node null where there is a program
 * @param {string[]} [wanted.flags] of node
 * @param {'stacks' | 'instructions'} [wanted.lookedAt] from outside
 * @returns {RecordContext['command']}
 */
function composeCommand({ program, node, flags = [], lookedAt }) {
  if (program !== undefined) {
    const { executable, args, recordingArgs = [], countingArgs = [] } = program;
    if (lookedAt === 'stacks') return { executable, args: [...recordingArgs, ...args] };
    if (lookedAt === 'instructions') return { executable, args: [...countingArgs, ...args] };
    return { executable, args };
  }
  if (node === null) throw new Error('neither a program nor node');
  return { executable: node.executable, args: [...node.flags, ...flags, node.workerPath] };
}

/**
 * @param {ExerciseJob['work']} work
 * @param {number} warmUpMs of the timed jobs
 * @returns {ExerciseJob['work']} with a warm-up that is not shorter
 */
function warmUpAsTimed(work, warmUpMs) {
  return 'passes' in work ? work : { ...work, warmUpMs: Math.max(work.warmUpMs, warmUpMs) };
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
    ...(variants[arm].program === undefined ? describeJobNode(variants[arm], cell) : {}),
    operation: cell.operation,
    corpus: /** @type {PreparedCorpus} */ (corpora.find(({ label }) => label === cell.corpus)),
  };
}

import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { MachineError } from '../../../lib/errors.js';
import { makeTemporaryDirectory } from '../../../lib/files.js';
import { locateProfile } from '../../sources/locate-profile.js';
import { listLogFlags } from '../../v8-log/log-words.js';

/** @import { Exercise, ExerciseJob, PreparedCorpus, Probe, RecordContext, Recorder } from '../../../formats/types.ts' */

/** Warm-up until hot functions are optimised, then a third of a second of recording. */
export const DEFAULT_WORK = Object.freeze({ warmUpMs: 250, recordMs: 300 });

/** Probe of recorders that need nothing but node. @type {() => Promise<Probe>} */
export async function probeV8() {
  return { available: true, detail: `part of V8 ${process.versions.v8}` };
}

/**
 * A recorder implemented by an observer inside the worker that writes one file.
 *
 * @param {Omit<Recorder, 'scope' | 'probe' | 'record'> & { ending: string }} description `name` is also that of the
 *   observer, `ending` the extension of its file
 * @returns {Recorder}
 */
export function makeObservingRecorder({ ending, ...description }) {
  return {
    ...description,
    scope: 'node',
    probe: probeV8,
    async record({ exercise, artefactBase, sources }) {
      const path = `${artefactBase}${ending}`;
      const done = await exercise({
        work: DEFAULT_WORK,
        observer: description.name,
        observedPath: path,
      });
      await locateProfile(path, sources);
      return { exercise: done, artefacts: [path] };
    },
  };
}

const MEGABYTE = 1e6;
/** Logs usually have 3 MB. */
const MAX_LOG_BYTES = 200 * MEGABYTE;

/**
 * Runs the exercise with V8's log and marks for the recorded window, and deletes the log afterwards.
 *
 * @param {Pick<RecordContext, 'exercise' | 'artefactBase'>} context
 * @param {number} [maxBytes]
 * @returns {Promise<{ exercise: Exercise, text: string }>}
 * @throws {MachineError} when the log is missing or too large
 */
export async function recordLog({ exercise, artefactBase }, maxBytes = MAX_LOG_BYTES) {
  const logPath = `${artefactBase}.v8.log`;
  const tracePath = `${artefactBase}.v8-traces.txt`;
  try {
    const done = await exercise({
      work: DEFAULT_WORK,
      observer: 'mark-log',
      flags: listLogFlags(logPath, tracePath),
      writes: [logPath, tracePath],
    });
    const { size } = await stat(logPath).catch(refuseMissing);
    if (size > maxBytes) {
      const found = `${Math.round(size / MEGABYTE)} MB`;
      throw new MachineError(`the V8 log has ${found}; the limit is ${maxBytes / MEGABYTE} MB`, {
        remedy: 'use a smaller corpus',
      });
    }
    return { exercise: done, text: await readFile(logPath, 'utf8') };
  } finally {
    await Promise.all([rm(logPath, { force: true }), rm(tracePath, { force: true })]);
  }
}

/** @type {(cause: unknown) => never} */
function refuseMissing(cause) {
  throw new MachineError('V8 wrote no log', { cause, remedy: 'check whether the disk is full' });
}

/**
 * Title of a page for a recorded job.
 * @type {(job: RecordContext['job']) => string} without special characters of HTML
 */
export function nameRecording({ variant, operation, corpus }) {
  return `${variant.spec}: ${operation} ${corpus.label}`.replaceAll(/[<>&"'`]/g, '_');
}

/** Some 3000 calls for documents of 6 kB, a tenth of a second in optimised code. */
const WORK_BYTES = 24e6;
/** Fixed cost of a document, expressed in bytes. */
const DOCUMENT_BYTES = 2_000;

/**
 * Passes over a corpus that make a reasonable amount of work. They depend on the corpus alone, so
 * both arms and all machines do the same work.
 * @type {(corpus: Pick<PreparedCorpus, 'documentCount' | 'sizeBytes'>) => number} at least 2
 */
export function countPasses({ documentCount, sizeBytes }) {
  return Math.max(2, Math.round(WORK_BYTES / (sizeBytes + documentCount * DOCUMENT_BYTES)));
}

/**
 * Writes an exercise to a file, for tools that do not pass standard input on.
 *
 * @param {string} path
 * @param {RecordContext['job']} job
 * @param {ExerciseJob['work']} work
 */
export async function writeJob(path, job, work) {
  /** @type {ExerciseJob} */
  const exerciseJob = { ...job, work, observer: null, observedPath: null };
  await writeFile(path, JSON.stringify(exerciseJob));
}

/**
 * Calls a function with a temporary directory, which is removed afterwards.
 *
 * @template Result
 * @param {(path: string) => Promise<Result>} use called with the absolute path
 * @returns {Promise<Result>}
 */
export async function useDirectory(use) {
  const path = makeTemporaryDirectory('recorder');
  try {
    return await use(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { MachineError } from '../../../lib/errors.js';
import { makeTemporaryDirectory } from '../../../lib/files.js';
import { listLogFlags } from '../../v8-log/log-words.js';

/** @import { Exercise, ExerciseJob, PreparedCorpus, Probe, RecordContext, Recorder } from '../../../formats/types.ts' */

/** Warm-up until the optimising compiler has been at work, then a third of a second on record. */
export const DEFAULT_WORK = Object.freeze({ warmUpMs: 250, recordMs: 300 });

/**
 * The probe of what every node can do.
 *
 * @returns {Promise<Probe>}
 */
export async function probeV8() {
  return { available: true, detail: `part of V8 ${process.versions.v8}` };
}

/**
 * A recorder whose work an observer does inside the worker, which leaves one file.
 *
 * @param {Pick<Recorder, 'name' | 'summary' | 'processes'> & { ending: string }} description the
 *   observer has the recorder's name; `ending` of its file
 * @returns {Recorder}
 */
export function makeObservingRecorder({ name, summary, processes, ending }) {
  return {
    name,
    summary,
    processes,
    scope: 'node',
    probe: probeV8,
    async record({ exercise, artefactBase }) {
      const path = `${artefactBase}${ending}`;
      const done = await exercise({ work: DEFAULT_WORK, observer: name, observedPath: path });
      return { exercise: done, artefacts: [path] };
    },
  };
}

const MEGABYTE = 1e6;
/** A usual log has 3 MB. */
const MAX_LOG_BYTES = 200 * MEGABYTE;

/**
 * Runs the exercise with V8's log on, in which the window is marked, and takes the log away from the
 * disk again.
 *
 * @param {Pick<RecordContext, 'exercise' | 'artefactBase'>} context
 * @param {number} [maxBytes]
 * @returns {Promise<{ exercise: Exercise, text: string }>}
 * @throws {MachineError} where there is no log, or it grew too large to be read
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
      throw new MachineError(
        `the V8 log has ${found}, more than the ${maxBytes / MEGABYTE} MB that are read`,
        { remedy: 'take a smaller corpus' },
      );
    }
    return { exercise: done, text: await readFile(logPath, 'utf8') };
  } finally {
    await Promise.all([rm(logPath, { force: true }), rm(tracePath, { force: true })]);
  }
}

/**
 * @param {unknown} cause
 * @returns {never}
 */
function refuseMissing(cause) {
  throw new MachineError('V8 left no log', { cause, remedy: 'see whether the disk is full' });
}

/**
 * What was recorded, as the title of a page.
 *
 * @param {RecordContext['job']} job
 * @returns {string} without characters that mean something in HTML
 */
export function nameRecording({ variant, operation, corpus }) {
  return `${variant.spec}: ${operation} ${corpus.label}`.replaceAll(/[<>&"'`]/g, '_');
}

/** Of a corpus of 6 kB documents some 3000 calls, a tenth of a second in optimised code. */
const WORK_BYTES = 24e6;
/** What a document costs beside its bytes, as bytes. */
const DOCUMENT_BYTES = 2_000;

/**
 * Passes over a corpus that make a fair amount of work. They follow from the corpus alone, never
 * from the clock: both arms and every machine do the same.
 *
 * @param {Pick<PreparedCorpus, 'documentCount' | 'sizeBytes'>} corpus
 * @returns {number} at least 2
 */
export function countPasses({ documentCount, sizeBytes }) {
  return Math.max(2, Math.round(WORK_BYTES / (sizeBytes + documentCount * DOCUMENT_BYTES)));
}

/**
 * Writes an exercise to a file, for tools that keep standard input to themselves.
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
 * Does something in a directory of its own, which is gone afterwards.
 *
 * @template Result
 * @param {(path: string) => Promise<Result>} use given the absolute path
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

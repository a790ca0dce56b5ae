import { rm, writeFile } from 'node:fs/promises';
import { makeTemporaryDirectory } from '../../../lib/files.js';

/** @import { ExerciseJob, PreparedCorpus, RecordContext } from '../../../formats/types.ts' */

/** Of a corpus of 6 kB documents some 3000 calls, a tenth of a second in optimised code. */
const WORK_BYTES = 24e6;
/** What a document costs beside its bytes, as bytes. */
const DOCUMENT_BYTES = 2_000;

/**
 * Passes over a corpus that make a fair amount of work. They follow from the corpus alone, never
 * from the clock: both sides and every machine do the same.
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

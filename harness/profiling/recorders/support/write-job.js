import { writeFile } from 'node:fs/promises';

/** @import { ExerciseJob, RecordContext } from '../../../formats/types.ts' */

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

import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { PROJECT } from '../../lib/project.js';
import { runWorker } from '../../run/process.js';
import { makeTestDirectory, writeFiles } from '../../testing/support/directories.js';

/** @import { Job, MeasureReport } from '../../formats/types.ts' */

export const SETTINGS = {
  ...{ warmUpMs: 2, warmUpCalls: 50, maxWarmUpMs: 20 },
  ...{ batchCount: 4, batchMs: 1 },
};
export const DOCUMENTS = 5;

/**
 * @param {Job} job
 * @returns {Promise<any>} its report, from a worker process
 * @throws {Error} the last lines of a worker that fails
 */
export async function runInWorker(job) {
  const outcome = await runWorker(job, {
    executable: process.execPath,
    args: [PROJECT.workerPath],
    environment: {},
    timeoutMs: 100_000,
  });
  if ('failure' in outcome) throw new Error(outcome.failure.lastLines.join('\n'));
  return outcome.report;
}

/**
 * Makes the family of a file of tests.
 *
 * @returns {(source: string, more?: object, variant?: string) => Promise<MeasureReport>} gives the report of a worker
 *   process that measures an operation, from the sources of the operation and of the variant; `more` of the job. It throws
 *   the last lines of a worker that fails
 */
export function makeReports() {
  const familyPath = makeTestDirectory('family');
  return async function reportOf(source, more = {}, variant = '') {
    writeFiles(familyPath, {
      'package.json': { type: 'module' },
      'variant.js': variant,
      'operations/operation.js': source,
    });
    const job = {
      formatVersion: FORMAT_VERSION,
      id: 'cell/000/0/baseline',
      kind: 'measure',
      family: 'made-up',
      familyPath,
      variant: { spec: 'variant', modulePath: join(familyPath, 'variant.js'), settings: {} },
      operation: 'operation',
      corpus: { documentCount: DOCUMENTS },
      settings: SETTINGS,
      ...more,
    };
    return runInWorker(/** @type {Job} */ (/** @type {unknown} */ (job)));
  };
}

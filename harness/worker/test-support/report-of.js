import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { PROJECT } from '../../lib/project.js';
import { runWorker } from '../../run/process.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { Job, MeasureReport } from '../../formats/types.ts' */

export const SETTINGS = {
  ...{ warmUpMs: 2, warmUpCalls: 50, maxWarmUpMs: 20 },
  ...{ batchCount: 4, batchMs: 1 },
};
export const DOCUMENTS = 5;

const familyPath = makeTestDirectory('family');
mkdirSync(join(familyPath, 'operations'));
writeFileSync(join(familyPath, 'package.json'), '{ "type": "module" }');

/**
 * Report of a worker process that measures an operation.
 *
 * @param {string} source of the operation
 * @param {object} [more] of the job
 * @param {string} [variant] source of the variant
 * @returns {Promise<MeasureReport>}
 * @throws {Error} when the worker fails, with its last lines
 */
export async function reportOf(source, more = {}, variant = '') {
  writeFileSync(join(familyPath, 'variant.js'), variant);
  writeFileSync(join(familyPath, 'operations', 'operation.js'), source);
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
  const outcome = await runWorker(/** @type {Job} */ (/** @type {unknown} */ (job)), {
    executable: process.execPath,
    args: [PROJECT.workerPath],
    environment: {},
    timeoutMs: 10_000,
  });
  if ('failure' in outcome) throw new Error(outcome.failure.lastLines.join('\n'));
  return /** @type {MeasureReport} */ (outcome.report);
}

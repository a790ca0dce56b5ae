import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCorpus } from '../../../corpora/support/prepare.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { buildFamily } from '../../variants/build-family.js';
import { family } from '../fake-family/family.js';
import { variant } from '../fake-family/variants/plain.js';
import { worker } from '../fake-family/worker.js';
import { FAKE_FAMILY_PATH, listProcesses } from './project.js';

/** @import { Job, MeasureSettings } from '../../formats/types.ts' */
/** @import { WorkerKind } from './project.js' */

/** @type {MeasureSettings} */
const SETTINGS = {
  warmUpMs: 2,
  warmUpCalls: 2,
  maxWarmUpMs: 20,
  batchCount: 3,
  batchMs: 1,
};

/**
 * Builds the program of the fake family in a temporary directory, for jobs without a run.
 *
 * @returns {Promise<{
 *   directory: string,
 *   makeJob(kind: 'output' | 'measure' | 'exercise' | 'allocation', settings?: Record<string, string>, workerKind?: WorkerKind): Job,
 *   listProcesses(): ReturnType<typeof listProcesses>,
 *   remove(): void,
 * }>} `listProcesses` finds those whose command line or environment contains `directory`
 */
export async function openFakeWorkers() {
  const directory = mkdtempSync(join(tmpdir(), 'assay-program-'));
  const { name } = family;
  const places = { cachePath: directory };
  const { buildPath } = await buildFamily({ name, path: FAKE_FAMILY_PATH }, worker, places);
  const corpus = await prepareCorpus('deep', { directory: join(directory, 'corpora') });
  const work = {
    output: { outputPath: join(directory, 'output.frames') },
    measure: { settings: SETTINGS },
    exercise: { work: { passes: 5 }, observer: null, observedPath: null },
    allocation: {},
  };
  return {
    directory,
    makeJob(kind, changed = {}, workerKind = 'program') {
      const settings = { ...variant.settings, ...changed };
      const program = worker.command({ buildPath, packagePath: null, settings });
      return {
        formatVersion: FORMAT_VERSION,
        id: `${kind}/plain`,
        kind,
        family: name,
        familyPath: FAKE_FAMILY_PATH,
        variant: {
          spec: 'plain',
          modulePath: join(FAKE_FAMILY_PATH, 'variants', 'plain.js'),
          settings,
          ...(workerKind === 'program' ? { buildPath, program } : {}),
        },
        operation: 'reverse',
        corpus,
        .../** @type {any} */ (work[kind]),
      };
    },
    listProcesses: () => listProcesses(directory),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

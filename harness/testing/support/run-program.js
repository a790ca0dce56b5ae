import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareCorpus } from '../../../corpora/support/prepare.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { buildFamily } from '../../variants/build-family.js';
import { family } from './program-family/family.js';
import { worker } from './program-family/worker.js';
import { variant } from './program-family/variants/once.js';

/** @import { Job, MeasureSettings } from '../../formats/types.ts' */

/** Absolute path of the family. */
export const FAMILY_PATH = fileURLToPath(new URL('program-family', import.meta.url));

/** @type {MeasureSettings} */
const SETTINGS = {
  warmUpMs: 2,
  warmUpCalls: 2,
  maxWarmUpMs: 20,
  batchCount: 3,
  batchMs: 1,
};

/**
 * Builds the family of programs in a directory of its own, which is a word of the command line of
 * every process that comes of it. Used by tests only.
 *
 * @returns {Promise<{
 *   directory: string,
 *   makeJob(kind: 'output' | 'measure' | 'exercise' | 'allocation', settings?: Record<string, string>): Job,
 *   listProcesses(): string[],
 *   remove(): void,
 * }>} `listProcesses`: command lines of those that are alive
 */
export async function openPrograms() {
  const directory = mkdtempSync(join(tmpdir(), 'assay-program-'));
  const { name } = family;
  const built = await buildFamily({ name, path: FAMILY_PATH }, worker, { cachePath: directory });
  const corpus = await prepareCorpus('deep', { directory: join(directory, 'corpora') });
  const work = {
    output: { outputPath: join(directory, 'output.frames') },
    measure: { settings: SETTINGS },
    exercise: { work: { passes: 5 }, observer: null, observedPath: null },
    allocation: {},
  };
  return {
    directory,
    makeJob(kind, changed = {}) {
      const settings = { ...variant.settings, ...changed };
      const { buildPath } = built;
      return {
        formatVersion: FORMAT_VERSION,
        id: `${kind}/once`,
        kind,
        family: name,
        familyPath: FAMILY_PATH,
        variant: {
          spec: 'once',
          modulePath: join(FAMILY_PATH, 'variants', 'once.js'),
          settings,
          buildPath,
          program: worker.command({ buildPath, packagePath: null, settings }),
        },
        operation: 'reverse',
        corpus,
        .../** @type {any} */ (work[kind]),
      };
    },
    listProcesses: () => readCommandLines().filter((line) => line.includes(directory)),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** @returns {string[]} of all processes that can be seen */
function readCommandLines() {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        return [
          `${pid} ${readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ')}`,
        ];
      } catch {
        // It ended in the meantime.
        return [];
      }
    });
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listClassPath } from './class-path.js';

/** @import { BuildContext } from '../../../harness/formats/types.ts' */

/**
 * Compiles the worker against the newest version of the library; all versions have the API that it
 * uses.
 *
 * @param {Pick<BuildContext, 'familyPath' | 'outputPath' | 'run'>} context `outputPath` has the
 *   jars in `jars/` and receives `classes/`
 * @throws {import('../../../harness/lib/errors.js').MachineError} when the compiler fails
 */
export async function compileProgram({ familyPath, outputPath, run }) {
  const classPath = listClassPath({ buildPath: outputPath, packagePath: null, settings: {} });
  const sources = listSources(join(familyPath, 'program', 'assay'));
  await run('javac', [
    '--release',
    '17',
    '-encoding',
    'UTF-8',
    '-d',
    join(outputPath, 'classes'),
    '-cp',
    classPath,
    ...sources,
  ]);
}

/**
 * @param {string} folder
 * @returns {string[]} absolute paths
 */
export function listSources(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(folder, name));
}

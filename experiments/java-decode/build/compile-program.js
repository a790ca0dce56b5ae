import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listClassPath } from './class-path.js';

/** @import { BuildContext } from '../../../harness/formats/types.ts' */

/**
 * Compiles the worker, against the newest version of the library: what it uses of it is in all of them.
 *
 * @param {Pick<BuildContext, 'familyPath' | 'outputPath' | 'run'>} context the jars lie in `jars/`
 *   of `outputPath`; the classes come into `classes/`
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

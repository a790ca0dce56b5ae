import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findProblem } from '../formats/schemas.js';
import { UsageError } from '../lib/errors.js';

/** @import { PackageManifest } from '../formats/types.ts' */

/**
 * The module that `import` of a package would load, by the rules of Node.
 *
 * @param {string} path directory of the package
 * @returns {Promise<string>} absolute path
 * @throws {UsageError} when it names none, or one that is not there
 */
export async function findEntry(path) {
  const { name, exports, main } = readPackage(path);
  const { resolve: resolveModule } = await import('import-meta-resolve');
  const parent = pathToFileURL(join(path, 'package.json')).href;
  const specifier = exports !== undefined && name !== undefined ? name : `./${main ?? 'index.js'}`;
  let entry;
  try {
    entry = fileURLToPath(resolveModule(specifier, parent));
  } catch (cause) {
    throw new UsageError(`'${path}' has no module that can be imported`, {
      cause,
      remedy: 'check "exports" or "main" in its package.json',
    });
  }
  if (!existsSync(entry)) {
    throw new UsageError(`'${path}' names '${entry}' as its module, which is not there`, {
      remedy: 'build the checkout first (npm install && npm run build)',
    });
  }
  return entry;
}

/**
 * @param {string} path directory of the package
 * @returns {PackageManifest} empty without a package.json
 * @throws {UsageError} when that is not JSON, or not what npm expects
 */
export function readPackage(path) {
  const file = join(path, 'package.json');
  if (!existsSync(file)) return {};
  const remedy = 'mend it, or restore it as it was committed';
  let content;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new UsageError(`'${file}' is not valid JSON: ${message}`, { cause, remedy });
  }
  const problem = findProblem('package-manifest', content);
  if (problem === null) return content;
  throw new UsageError(`'${file}' cannot be used: ${problem}`, { remedy });
}

/**
 * What there is to say of a package as a variant.
 *
 * @param {string} path directory of the package
 * @returns {{ idea: string, version?: string }}
 */
export function describePackage(path) {
  const { description = 'no description', version } = readPackage(path);
  return { idea: description, ...(version === undefined ? {} : { version }) };
}

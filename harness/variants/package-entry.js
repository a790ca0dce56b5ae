import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findProblem } from '../formats/schemas.js';
import { UsageError } from '../lib/errors.js';
import { findUpwards } from '../lib/places.js';
import { omitUndefined } from '../lib/records.js';

/** @import { PackageManifest } from '../formats/types.ts' */

/**
 * The module that `import` of a package loads in Node, or of a subpath of it.
 *
 * @param {string} path directory of the package
 * @param {string} [subpath] `wkt` of `@bufbuild/protobuf/wkt`
 * @returns {Promise<string>} absolute path
 * @throws {UsageError} when it has none, or the file does not exist
 */
export async function findEntry(path, subpath) {
  const { name, exports, main } = readPackage(path);
  const { resolve: resolveModule } = await import('import-meta-resolve');
  const parent = pathToFileURL(join(path, 'package.json')).href;
  const inside = subpath ?? findMain(path, main);
  const ofPackage = subpath === undefined ? `${name}` : `${name}/${subpath}`;
  const specifier = exports !== undefined && name !== undefined ? ofPackage : `./${inside}`;
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
    throw new UsageError(`the module '${entry}' of '${path}' does not exist`, {
      remedy: 'build the checkout first (npm install && npm run build)',
    });
  }
  return entry;
}

/**
 * @param {string} path directory of the package
 * @param {string} [main] as its package.json has it
 * @returns {string} the file that Node takes for it, which may lack its ending or be a directory; `main` itself for none
 */
function findMain(path, main = 'index.js') {
  const files = [main, `${main}.js`, `${main}/index.js`, 'index.js'];
  const isFile = (/** @type {string} */ file) =>
    statSync(join(path, file), { throwIfNoEntry: false })?.isFile() === true;
  return files.find(isFile) ?? main;
}

/**
 * @param {string} path directory of the package
 * @returns {PackageManifest} empty without a package.json
 * @throws {UsageError} when it is not valid JSON, or not a valid package.json
 */
export function readPackage(path) {
  const file = join(path, 'package.json');
  if (!existsSync(file)) return {};
  const remedy = 'fix it, or restore the committed version';
  let content;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new UsageError(`'${file}' is not valid JSON: ${message}`, { cause, remedy });
  }
  const problem = findProblem('package-manifest', content);
  if (problem === null) return content;
  throw new UsageError(`'${file}' is invalid: ${problem}`, { remedy });
}

/** @type {(file: string) => string | null} the nearest directory above the file with a package.json */
export function findPackageRoot(file) {
  const manifest = findUpwards(dirname(file), 'package.json');
  return manifest === null ? null : dirname(manifest);
}

/** @type {(path: string) => { idea: string, version?: string }} what the package in a directory says of itself */
export function summarizePackage(path) {
  const { description = 'no description', version } = readPackage(path);
  return { idea: description, ...omitUndefined({ version }) };
}

/**
 * Further modules of a package, as far as this version of it has them.
 *
 * @param {string} path directory of the package
 * @param {string[]} [subpaths]
 * @returns {Promise<{ modules?: Record<string, string> }>} absolute paths by subpath; nothing where none are named
 */
export async function findModules(path, subpaths = []) {
  if (subpaths.length === 0) return {};
  /** @type {Record<string, string>} */
  const modules = {};
  for (const subpath of subpaths) {
    try {
      modules[subpath] = await findEntry(path, subpath);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
  }
  return { modules };
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MachineError, UsageError } from '../lib/errors.js';
import { parseJson, readText } from '../formats/read-document.js';
import { makeOnce } from './make-once.js';
import { readCached } from './read-cached.js';
import { NpmError, runNpm } from './run-npm.js';

const INSTALL_TIMEOUT_MS = 120_000;
const LOCK = 'package-lock.json';
const REMEDY = 'restore the file as it was committed';

/** @typedef {{ version: string, integrity: string, dev?: boolean }} Locked */

/**
 * @typedef {object} PackagePlaces
 * @property {string} projectPath of Assay itself
 * @property {string} cachePath where packages are installed
 * @property {AbortSignal | undefined} [signal] ends a download
 * @property {((text: string) => void) | undefined} [onNote] is told what takes long
 */

/**
 * Finds one exact version of a package: among Assay's own dependencies, in the cache, or else from
 * the registry, installed into the cache without running its scripts.
 *
 * @param {string} packageName
 * @param {string} version
 * @param {PackagePlaces} places
 * @returns {Promise<{ path: string, integrity: string }>} directory of the package
 * @throws {UsageError} when the registry has no such version
 * @throws {MachineError} when npm fails otherwise
 * @throws {import('../lib/errors.js').FormatError} when what the cache holds of it is broken
 */
export async function findNpmPackage(packageName, version, places) {
  const { projectPath, cachePath } = places;
  const own = findOwn(packageName, projectPath);
  if (own?.version === version && own.dev !== true) {
    return { path: join(projectPath, 'node_modules', packageName), integrity: own.integrity };
  }
  const home = join(cachePath, 'npm', `${packageName.replace('/', '+')}@${version}`);
  await makeOnce(home, (staging) => install(packageName, version, staging, places));
  return {
    path: join(home, 'node_modules', packageName),
    integrity: readCached(home, LOCK, (content) => findLocked(content, packageName)?.integrity),
  };
}

/**
 * @param {string} packageName
 * @param {string} version
 * @param {string} directory
 * @param {PackagePlaces} places
 */
async function install(packageName, version, directory, { signal, onNote }) {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund'];
  onNote?.(`fetching ${packageName}@${version}`);
  try {
    await runNpm(['install', ...flags, `${packageName}@${version}`], {
      cwd: directory,
      timeoutMs: INSTALL_TIMEOUT_MS,
      signal,
    });
  } catch (cause) {
    if (!(cause instanceof NpmError)) throw cause;
    if (cause.code === 'E404' || cause.code === 'ETARGET') {
      throw new UsageError(`the npm registry has no ${packageName}@${version}`, {
        cause,
        remedy: `npm view ${packageName} versions lists what there is`,
      });
    }
    throw new MachineError(`npm could not install ${packageName}@${version}: ${cause.message}`, {
      cause,
      remedy: 'check the network and the registry that npm is set to, then try again',
    });
  }
}

/**
 * @param {string} packageName
 * @param {string} projectPath
 * @returns {Locked | undefined} undefined where it is none of Assay's own
 * @throws {import('../lib/errors.js').FormatError} when Assay's own lock file is broken
 */
function findOwn(packageName, projectPath) {
  const file = join(projectPath, LOCK);
  const lock = parseJson(readText(file, `'${file}'`, REMEDY), `'${file}'`, REMEDY);
  return findLocked(lock, packageName);
}

/**
 * @param {any} lock
 * @param {string} packageName
 * @returns {Locked | undefined} undefined where the lock file has no such package
 */
function findLocked(lock, packageName) {
  const packages = lock?.packages;
  const key = `node_modules/${packageName}`;
  if (Object(packages) !== packages || !Object.hasOwn(packages, key)) return undefined;
  const locked = packages[key];
  return typeof locked?.integrity === 'string' ? locked : undefined;
}

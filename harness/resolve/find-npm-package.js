import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MachineError, UsageError } from '../errors.js';
import { parseJson, readText } from '../read-document.js';
import { makeOnce } from './make-once.js';
import { readCached } from './read-cached.js';

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 120_000;
const LOCK = 'package-lock.json';
const REMEDY = 'restore the file as it was committed';

/** @typedef {{ version: string, integrity: string, dev?: boolean }} Locked */

/**
 * Finds one exact version of a package: among Assay's own dependencies, in the cache, or else from
 * the registry, installed into the cache without running its scripts.
 *
 * @param {string} packageName
 * @param {string} version
 * @param {{ projectPath: string, cachePath: string }} places
 * @returns {Promise<{ path: string, integrity: string }>} directory of the package
 * @throws {UsageError} when the registry has no such version
 * @throws {MachineError} when npm fails otherwise
 * @throws {import('../errors.js').FormatError} when what the cache holds of it is broken
 */
export async function findNpmPackage(packageName, version, { projectPath, cachePath }) {
  const own = findOwn(packageName, projectPath);
  if (own?.version === version && own.dev !== true) {
    return { path: join(projectPath, 'node_modules', packageName), integrity: own.integrity };
  }
  const home = join(cachePath, 'npm', `${packageName.replace('/', '+')}@${version}`);
  await makeOnce(home, (staging) => install(packageName, version, staging));
  return {
    path: join(home, 'node_modules', packageName),
    integrity: readCached(home, LOCK, (content) => findLocked(content, packageName)?.integrity),
  };
}

/**
 * @param {string} packageName
 * @param {string} version
 * @param {string} directory
 */
async function install(packageName, version, directory) {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', ['install', ...flags, `${packageName}@${version}`], {
      cwd: directory,
      timeout: INSTALL_TIMEOUT_MS,
    });
  } catch (cause) {
    const text = String(/** @type {{ stderr?: string }} */ (cause).stderr ?? cause);
    if (/E404|ETARGET/.test(text)) {
      throw new UsageError(`the npm registry has no ${packageName}@${version}`, {
        cause,
        remedy: `npm view ${packageName} versions lists what there is`,
      });
    }
    throw new MachineError(`npm could not install ${packageName}@${version}: ${lastLine(text)}`, {
      cause,
      remedy: 'check the network and the registry that npm is set to, then try again',
    });
  }
}

/**
 * @param {string} packageName
 * @param {string} projectPath
 * @returns {Locked | undefined} undefined where it is none of Assay's own
 * @throws {import('../errors.js').FormatError} when Assay's own lock file is broken
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

/** @param {string} text */
function lastLine(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines[lines.length - 1] ?? 'no message';
}

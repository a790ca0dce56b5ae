import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MachineError, UsageError } from '../errors.js';
import { makeOnce } from './make-once.js';

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 120_000;

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
 */
export async function findNpmPackage(packageName, version, { projectPath, cachePath }) {
  const own = readLock(projectPath).packages[`node_modules/${packageName}`];
  if (own?.version === version && own.dev !== true) {
    return { path: join(projectPath, 'node_modules', packageName), integrity: own.integrity };
  }
  const home = join(cachePath, 'npm', `${packageName.replace('/', '+')}@${version}`);
  await makeOnce(home, (staging) => install(packageName, version, staging));
  return {
    path: join(home, 'node_modules', packageName),
    integrity: readLock(home).packages[`node_modules/${packageName}`].integrity,
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
 * @param {string} directory
 * @returns {{ packages: Record<string, { version: string, integrity: string, dev?: boolean }> }}
 */
function readLock(directory) {
  return JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'));
}

/** @param {string} text */
function lastLine(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines[lines.length - 1] ?? 'no message';
}

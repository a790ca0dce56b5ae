/**
 * Installs the packages of the lock file in the working directory: those for measuring, or with
 * `--development` also those for tests and checks. Does nothing when they are already installed. It must not
 * import any of them.
 */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { AssayError, MachineError } from '../harness/lib/errors.js';
import { FETCH_FLAGS } from '../harness/lib/fetch-flags.js';
import { withHostLock } from '../harness/host/lock.js';

/** @typedef {'measuring' | 'development'} Kind */
/** @typedef {{ integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */

const LOCK_FILE = 'package-lock.json';
const PACKAGES = 'node_modules';
/** What npm has installed; it writes this last. */
const INSTALLED = join(PACKAGES, '.package-lock.json');
/** Lock files of running set-ups. */
const LOCK_PATH = join('.assay', 'set-up');
/** On the same file system as the packages, so that they can be moved. */
const STAGING = join(LOCK_PATH, 'staging');
const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** @type {Kind} */
const kind = process.argv.includes('--development') ? 'development' : 'measuring';
try {
  if (!hasPackages()) await installUnderLock();
} catch (error) {
  if (!(error instanceof AssayError)) throw error;
  process.stderr.write(`error: ${error.message}\n  ${error.remedy}\n`);
  process.exitCode = error.exitStatus;
}

/** @returns {boolean} whether the packages are installed; development includes measuring */
function hasPackages() {
  return isInstalled('development') || isInstalled(kind);
}

/**
 * By the record of npm, whoever called it. Packages may have been removed since.
 * @type {(installed: Kind) => boolean}
 */
function isInstalled(installed) {
  if (!existsSync(INSTALLED)) return false;
  const found = readPackages(INSTALLED);
  return Object.entries(readPackages(LOCK_FILE))
    .filter(([path]) => path !== '')
    .filter(([, { dev }]) => installed === 'development' || dev !== true)
    .filter(([, { optional, devOptional }]) => optional !== true && devOptional !== true)
    .every(
      ([path, { integrity }]) =>
        path in found &&
        found[path].integrity === integrity &&
        existsSync(join(path, 'package.json')),
    );
}

/** @type {(file: string) => Record<string, LockedPackage>} by path */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

/** Only one set-up runs at a time. */
async function installUnderLock() {
  requireWritable();
  const request = {
    command: 'set-up',
    where: process.cwd(),
    waits: true,
    describe: () => 'another set-up of this checkout is running',
  };
  const environment = { ASSAY_LOCK_DIRECTORY: LOCK_PATH };
  const { signal } = new AbortController();
  await withHostLock(request, { environment, stderr: process.stderr, signal }, async () => {
    if (!hasPackages()) install();
  });
}

/** @throws {MachineError} when the directory is not writable */
function requireWritable() {
  try {
    accessSync('.', constants.W_OK);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new MachineError(`cannot install packages in '${process.cwd()}': ${message}`, {
      cause,
      remedy: 'run this command once where the checkout is writable, or use a copy of it',
    });
  }
}

/**
 * Installs into a staging directory, then moves all packages into place at once: running processes always
 * find a complete set, and an interrupted installation leaves no partial one.
 *
 * @throws {MachineError} when npm fails
 */
function install() {
  process.stderr.write(`Installing the packages for ${kind}, once …\n`);
  rmSync(STAGING, { recursive: true, force: true });
  mkdirSync(STAGING, { recursive: true });
  for (const name of ['package.json', LOCK_FILE]) copyFileSync(name, join(STAGING, name));
  const flags = [...NPM_FLAGS, ...FETCH_FLAGS, ...(kind === 'measuring' ? ['--omit=dev'] : [])];
  const { status, error } = spawnSync('npm', ['ci', ...flags], {
    cwd: STAGING,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  if (status !== 0) {
    throw new MachineError('npm could not install the packages', {
      cause: error,
      remedy: 'see the message of npm above; check the network and the registry setting of npm',
    });
  }
  const installed = join(STAGING, PACKAGES);
  if (existsSync(PACKAGES)) renameSync(PACKAGES, join(STAGING, 'replaced'));
  renameSync(installed, PACKAGES);
  rmSync(STAGING, { recursive: true });
}

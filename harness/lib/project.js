import { existsSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IS_INSTALLED } from './program.js';

/** Assay itself: a checkout, or a package in the `node_modules` of a project. */
const assayPath = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Configuration of a project. */
export const CONFIG_FILE = 'assay.config.js';
/** Folder of a project with one folder a family. */
export const FAMILIES_FOLDER = 'assay';

/** Whose code is run: that of this user, and of those who could change Assay itself. */
const TRUSTED_OWNERS = new Set([process.getuid?.() ?? 0, 0, lstatSync(assayPath).uid]);

const {
  ASSAY_CACHE_DIRECTORY: chosenPath = '',
  ASSAY_INVOCATION_DIRECTORY: workingPath = '',
  XDG_CACHE_HOME: userCachePath = '',
} = process.env;
const startPath = resolve(findDirectory(), workingPath);
const projectPath = findProject(startPath);
// Where it is not the project, others own it.
const nearestPath = [...listParents(startPath)].find(
  (path) => path === projectPath || hasFamilies(path),
);
const isCheckout = projectPath === assayPath;
/** State that outlives runs; `ASSAY_CACHE_DIRECTORY` moves it, for a read-only checkout. */
const statePath =
  chosenPath === ''
    ? join(projectPath, '.assay')
    : resolve(findDirectory(), workingPath, chosenPath);

/** Absolute paths of Assay, and of the project that uses it: the checkout itself unless there is another one. */
export const PROJECT = Object.freeze({
  assayPath,
  projectPath,
  /** A nearer directory with families, which belongs to another user; null if there is none. */
  strangePath: nearestPath === undefined || nearestPath === projectPath ? null : nearestPath,
  experimentsPath: join(assayPath, 'experiments'),
  reportsPath: join(assayPath, 'reports'),
  runsPath: isCheckout ? join(projectPath, 'reports', 'runs') : join(projectPath, '.assay', 'runs'),
  statePath,
  cachePath: join(statePath, 'cache'),
  /** Trees of other projects, which are built and run there. It is below no project, since package managers, compilers and
   * Node look for settings and packages in all directories above (decision 0060). */
  treesPath: chosenPath === '' ? join(findUserCache(), 'assay') : join(statePath, 'cache'),
  toolsPath: join(statePath, 'tools'),
  claimResultsPath: join(statePath, 'claims.json'),
  calibrationPath: join(statePath, 'calibration.json'),
  corporaPath: join(statePath, 'corpora'),
  historyPath: join(statePath, 'history'),
  workerPath: join(assayPath, 'harness', 'worker', 'worker.js'),
});

/** Directory of the runs, relative to the project. */
export const RUNS = isCheckout ? 'reports/runs' : '.assay/runs';

/** @returns {string} the directory for caches of this user, by the XDG Base Directory Specification */
function findUserCache() {
  return isAbsolute(userCachePath) ? userCachePath : join(homedir(), '.cache');
}

/** @returns {string} the current directory, or Assay itself if that was removed */
function findDirectory() {
  try {
    return process.cwd();
  } catch {
    return assayPath;
  }
}

/**
 * @param {string} path absolute path of the directory in which a command was typed
 * @param {Set<number>} [owners] whose projects are taken
 * @returns {string} the nearest directory from there upwards with families or a configuration; without one the
 *   checkout of Assay, or if Assay is installed the nearest package
 */
export function findProject(path, owners = TRUSTED_OWNERS) {
  const parents = [...listParents(path)];
  const known = parents.find(
    (parent) => parent === assayPath || (hasFamilies(parent) && isTrusted(parent, owners)),
  );
  if (known !== undefined) return known;
  if (!IS_INSTALLED) return assayPath;
  const isPackage = (/** @type {string} */ parent) => existsSync(join(parent, 'package.json'));
  return parents.find((parent) => isPackage(parent) && isTrusted(parent, owners)) ?? path;
}

/**
 * Whether the code of a project may be run. In a directory like `/tmp`, anybody can put it above the projects of
 * others.
 *
 * @param {string} path absolute path of a project
 * @param {Set<number>} [owners]
 * @returns {boolean} whether what names its families belongs to one of these users
 */
export function isTrusted(path, owners = TRUSTED_OWNERS) {
  return [CONFIG_FILE, FAMILIES_FOLDER, 'package.json', '.npmrc'].every((name) => {
    const stat = lstatSync(join(path, name), { throwIfNoEntry: false });
    return stat === undefined || owners.has(stat.uid);
  });
}

/** @type {(path: string) => Generator<string>} */
function* listParents(path) {
  yield path;
  if (dirname(path) !== path) yield* listParents(dirname(path));
}

/** @param {string} path */
function hasFamilies(path) {
  if (existsSync(join(path, CONFIG_FILE))) return true;
  try {
    return listFamilyFolders(join(path, FAMILIES_FOLDER)).length > 0;
  } catch {
    // A directory that cannot be read is not this user's project.
    return false;
  }
}

/**
 * @param {string} path of a directory that may not exist
 * @returns {string[]} names of the folders in it that are families, sorted
 */
export function listFamilyFolders(path) {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(path)
    .filter((name) => existsSync(join(path, name, 'family.js')))
    .sort();
}

/**
 * Version of Assay and the state of its checkout, for the manifest.
 *
 * @returns {{ version: string, revision: string | null, dirty: boolean }} `revision` is null outside
 *   a git checkout
 */
export function identifyAssay() {
  const { version } = JSON.parse(readFileSync(join(assayPath, 'package.json'), 'utf8'));
  // A package is in the checkout of its user.
  if (IS_INSTALLED) return { version, revision: null, dirty: false };
  try {
    const lines = git('status', '--porcelain=v2', '--branch').split('\n');
    const revision = lines.map((line) => COMMIT.exec(line)?.[1]).find(Boolean) ?? null;
    return { version, revision, dirty: lines.some((line) => !line.startsWith('#')) };
  } catch {
    return { version, revision: null, dirty: false };
  }
}

/** The line of git with the commit that is checked out, unless there is none yet. */
const COMMIT = /^# branch\.oid ([0-9a-f]+)$/;

/** @param {string[]} args */
function git(...args) {
  // Most commands start no process, and the module takes milliseconds to load.
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  return execFileSync('git', args, {
    cwd: assayPath,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

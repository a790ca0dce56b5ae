/** The packages that npm installed for a variant, as its lock files list them. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { omitUndefined } from '../lib/records.js';

/** @import { Dependency } from '../formats/types.ts' */

export const MODULES = 'node_modules';
/** The lock file of what is installed, which npm keeps in `node_modules`. */
export const INSTALLED_LOCK = '.package-lock.json';

/** @typedef {{ version: string, integrity: string, dev?: boolean, dependencies?: object, optionalDependencies?: object }} Locked */

/**
 * @param {any} lock
 * @param {string} key `node_modules/bson`
 * @returns {Locked | undefined} undefined if the lock file does not have it
 */
export function findLocked(lock, key) {
  const packages = listLocked(lock);
  if (!Object.hasOwn(packages, key)) return undefined;
  const locked = packages[key];
  return typeof locked?.integrity === 'string' ? locked : undefined;
}

/** @type {(lock: any) => Record<string, any>} packages by path; empty for invalid content */
function listLocked(lock) {
  const packages = lock?.packages;
  return Object(packages) === packages ? packages : {};
}

/**
 * Lists what a lock file says of installed packages other than those that are only for development. What a package
 * brings with it is covered by the integrity of that package.
 *
 * @param {any} lock
 * @param {string} [except] name of the package whose dependencies they are
 * @returns {Dependency[]} sorted by path
 */
export function listDependencies(lock, except) {
  const start = `${MODULES}/`;
  return Object.entries(listLocked(lock))
    .filter(([key]) => key.startsWith(start) && key !== `${start}${except}`)
    .filter(([, locked]) => typeof locked?.version === 'string' && !locked.dev && !locked.inBundle)
    .map(([key, { version, integrity }]) => ({
      path: key.slice(start.length),
      version,
      ...omitUndefined({ integrity: typeof integrity === 'string' ? integrity : undefined }),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const INNER = `/${MODULES}/`;

/** @type {(path: string) => boolean} whether a file is in a package that npm has installed */
export function isInModules(path) {
  return path.includes(INNER);
}

/** @type {(dependency: Pick<Dependency, 'path'>) => string} its name: `@scope/b` of `a/node_modules/@scope/b`; of a file there its path in the package, too */
export function nameDependency({ path }) {
  const end = path.lastIndexOf(INNER);
  return end === -1 ? path : path.slice(end + INNER.length);
}

/**
 * Finds the lock file of what npm installed for a package: beside it, or above it in a workspace.
 *
 * @param {string} path absolute, of the package
 * @param {string} top absolute, of the highest directory that may have it
 * @returns {{ root: string, lock: unknown } | null} `root`: the parent of its `node_modules`; null if npm installed
 *   nothing
 */
export function findInstalledLock(path, top) {
  for (let root = path; ; root = dirname(root)) {
    const file = join(root, MODULES, INSTALLED_LOCK);
    if (existsSync(file)) return { root, lock: parse(readFileSync(file, 'utf8')) };
    if (root === top || root === dirname(root)) return null;
  }
}

/** @type {(text: string) => unknown} null for text that is not JSON */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Makes the files from which `npm ci` installs recorded packages. The record does not say which package needs which.
 * So that npm keeps all of them, those that are not inside of another package are dependencies of the project, and
 * the others of the package that they are in.
 *
 * @param {Dependency[]} packages the package itself among them
 * @returns {{ project: object, lock: object }} `package.json` and `package-lock.json`
 */
export function makeLock(packages) {
  const project = { private: true, dependencies: /** @type {Record<string, string>} */ ({}) };
  /** @type {Record<string, { dependencies: Record<string, string> }>} */
  const locked = { '': { dependencies: project.dependencies } };
  for (const { path, ...rest } of packages) {
    locked[`${MODULES}/${path}`] = { ...rest, dependencies: {} };
  }
  for (const dependency of packages) {
    const end = dependency.path.lastIndexOf(INNER);
    const owner = end === -1 ? '' : `${MODULES}/${dependency.path.slice(0, end)}`;
    // Without its owner npm does not install it, and the tree is not the recorded one.
    if (!Object.hasOwn(locked, owner)) continue;
    locked[owner].dependencies[nameDependency(dependency)] = dependency.version;
  }
  return { project, lock: { lockfileVersion: 3, requires: true, packages: locked } };
}

/** @type {(asOf: string) => string} the flag with which npm ignores what was published after the end of a day, in UTC */
export function beforeFlag(asOf) {
  return `--before=${asOf}T23:59:59.999Z`;
}

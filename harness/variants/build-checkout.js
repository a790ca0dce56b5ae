/** A revision of a package, checked out and built in the cache. */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isOfFormat } from '../formats/schemas.js';
import { buildPackage } from './build-package.js';
import { getOrCreate, readCached } from './cache.js';
import { checkOut } from './check-out.js';
import { INSTALLED_LOCK, MODULES, findInstalledLock, listDependencies } from './dependencies.js';
import { askGit } from './git.js';
import { findManager, identifyManager, isDefaultManager } from './package-manager.js';

/** @import { Dependency } from '../formats/types.ts' */
/** @import { BuildChoices, BuildContext } from './build-package.js' */
/** @import { Revision } from './check-out.js' */
/** @import { Manager, ReadFile } from './package-manager.js' */

/** Record of the build, beside the tree. */
const BUILD_FILE = 'build.json';
const TREE = 'tree';

/**
 * Checks out and builds a commit in the cache, once per commit and build command.
 *
 * @param {Revision} revision
 * @param {BuildContext} context
 * @returns {Promise<{ path: string, build: string, dependencies?: Dependency[] }>} directory of the package, and the
 *   build command, empty if there was nothing to build; `dependencies`: packages that npm installed for it, without those
 *   that only the build needs
 * @throws {MachineError} when git or the build fails, or there is no module afterwards
 * @throws {UsageError} when the commit has no such package
 * @throws {import('../lib/errors.js').FormatError} when the cache entry is damaged
 */
export async function buildCheckout(revision, context) {
  const manager = findManager(openRevision(revision), revision.prefix);
  const home = join(
    context.treesPath ?? context.cachePath,
    'git',
    nameBuild(revision, context, manager),
  );
  const fill = async (/** @type {string} */ staging) => {
    const tree = join(staging, TREE);
    const { path, absent } = checkOut(revision, tree);
    const build = await buildPackage({ path, tree, revision, manager, absent, context });
    writeFileSync(join(staging, BUILD_FILE), `${JSON.stringify({ build })}\n`);
  };
  await getOrCreate(home, fill, {
    onNote: context.onNote,
    isVerified: chooseVerified(revision.prefix),
  });
  const { build } = readCached(home, BUILD_FILE, (content) =>
    isOfFormat('build-record', content) ? content : undefined,
  );
  const path = join(home, TREE, revision.prefix);
  const installed = findInstalledLock(path, join(home, TREE));
  return {
    path,
    build,
    ...(installed === null ? {} : { dependencies: listDependencies(installed.lock) }),
  };
}

/** The part of a path that is a package in a `node_modules`, or the folder of a scope. */
const INSTALLED = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/s;

/**
 * Of a checkout everything is verified except for git's own files and packages that only its build needs, which may be
 * tens of thousands of files. Packages that npm did not install are not verified.
 * @type {(prefix: string) => (file: string, home: string) => boolean}
 */
function chooseVerified(prefix) {
  /** @type {Map<string, Set<string>>} */
  const byHome = new Map();
  return function isVerified(file, home) {
    if (file.endsWith('/.git')) return false;
    const [folder] = INSTALLED.exec(file) ?? [];
    if (folder === undefined || /\/@[^/]+$/.test(folder)) return true;
    const installed = byHome.get(home) ?? listInstalled(home, prefix);
    byHome.set(home, installed);
    return installed.has(folder);
  };
}

/** @type {(home: string, prefix: string) => Set<string>} paths of packages that are not only for the build */
function listInstalled(home, prefix) {
  const found = findInstalledLock(join(home, TREE, prefix), join(home, TREE));
  if (found === null) return new Set();
  const modules = relative(home, join(found.root, MODULES)).split(sep).join('/');
  const paths = listDependencies(found.lock).map(({ path }) => path);
  return new Set([INSTALLED_LOCK, ...paths].map((path) => `${modules}/${path}`));
}

/** @type {(revision: Revision, choices: BuildChoices, manager: Manager) => string} the commit, with a digest of what else decides what is built */
function nameBuild({ commit, prefix }, { build, asOf }, manager) {
  const isPlain = build !== undefined || isDefaultManager(manager);
  if (prefix === '' && build === undefined && asOf === undefined && isPlain) return commit;
  const more = isPlain ? [] : [identifyManager(manager)];
  // Before there was a third place, keys had none.
  const day = asOf === undefined && more.length === 0 ? [] : [asOf ?? null];
  const key = JSON.stringify([prefix, build ?? null, ...day, ...more]);
  return `${commit}-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}

/** @type {(revision: Revision) => ReadFile} reads files of a commit without checking it out */
function openRevision({ repositoryPath, commit }) {
  /** @type {Map<string, Set<string>>} */
  const listings = new Map();
  /** @param {string} directory with a slash at its end; empty for the top */
  const list = (directory) => {
    const known = listings.get(directory);
    if (known !== undefined) return known;
    const where = directory === '' ? [] : ['--', directory];
    const names = askGit(repositoryPath, [
      'ls-tree',
      '--full-tree',
      '--name-only',
      '-z',
      commit,
      ...where,
    ]);
    const listing = new Set((names ?? '').split('\0'));
    listings.set(directory, listing);
    return listing;
  };
  return (path) =>
    list(path.slice(0, path.lastIndexOf('/') + 1)).has(path)
      ? askGit(repositoryPath, ['cat-file', 'blob', `${commit}:${path}`])
      : null;
}

/** The files of a revision, in a directory of their own. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UsageError } from '../lib/errors.js';
import { countOf } from '../lib/numbers.js';
import { quoteWords } from '../lib/words.js';
import { askGit, runGit } from './git.js';
import { LOCK_FILES } from './package-manager.js';

/**
 * @typedef {object} Revision
 * @property {string} repositoryPath absolute path of the user's repository; only read
 * @property {string} commit full identity
 * @property {string} prefix directory of the package in the tree; empty for the root
 * @property {string} name for messages
 */

/**
 * Something of a revision that the user's clone does not have.
 *
 * @typedef {object} Absence
 * @property {string} what `the submodule 'doc'`
 * @property {string} remedy
 */

/**
 * Checks out a commit in a repository that borrows the objects of the user's, like a shared clone. Unlike a clone, it has
 * commits without a branch and supports shallow repositories; unlike a worktree, it does not change the user's repository.
 *
 * @param {Revision} revision
 * @param {string} tree absolute path of a directory to make
 * @returns {{ path: string, absent: Absence[] }} directory of the package, and what it lacks
 * @throws {UsageError} when the commit has no such directory
 * @throws {import('../lib/errors.js').MachineError} when git fails
 */
export function checkOut({ repositoryPath, commit, prefix, name }, tree) {
  const absent = fillTree(tree, { repositoryPath, commit, typed: repositoryPath });
  const path = join(tree, prefix);
  if (!existsSync(path)) throw new UsageError(`${name} has no directory '${prefix}'`);
  const original = askGit(repositoryPath, ['rev-parse', '--show-toplevel']);
  if (original !== null) redirectFiles(path, { tree, original });
  return { path, absent };
}

/** @typedef {{ repositoryPath: string, commit: string, typed: string }} Source `typed`: the clone, for remedies */

/** @type {(tree: string, source: Source) => Absence[]} */
function fillTree(tree, source) {
  const { repositoryPath, commit } = source;
  mkdirSync(tree, { recursive: true });
  const objectsPath = findGitPath(repositoryPath, 'objects');
  const isOwn = true;
  runGit(tree, ['init', '--quiet', '--template='], { isOwn });
  writeFileSync(join(tree, '.git', 'objects', 'info', 'alternates'), `${objectsPath}\n`);
  runGit(tree, ['update-ref', '--no-deref', 'HEAD', commit], { isOwn });
  const { files, submodules } = listEntries(tree);
  const lost = listLost(tree, files);
  runGit(tree, ['read-tree', 'HEAD'], { isOwn });
  if (lost.length > 0) {
    runGit(tree, ['update-index', '--skip-worktree', '--', ...lost], { isOwn });
  }
  runGit(tree, ['checkout-index', '--all', '--quiet'], { isOwn });
  return [
    ...describeLost(lost, source),
    ...submodules.flatMap((submodule) => fillSubmodule(tree, submodule, source)),
  ];
}

/** @type {(directory: string, name: string) => string} absolute, whether or not it exists */
function findGitPath(directory, name) {
  return runGit(directory, ['rev-parse', '--path-format=absolute', '--git-path', name]);
}

/** @typedef {{ path: string, id: string }} Entry */

/** Type of a commit in a tree: a submodule. */
const SUBMODULE = 'commit';

/** @type {(tree: string) => { files: Entry[], submodules: Entry[] }} */
function listEntries(tree) {
  const entries = runGit(tree, ['ls-tree', '-r', '-z', 'HEAD'], { isOwn: true })
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [, type, id, path] = /^\d+ (\w+) (\w+)\t(.*)$/s.exec(line) ?? [];
      return { type, id, path };
    });
  return {
    files: entries.filter(({ type }) => type !== SUBMODULE),
    submodules: entries.filter(({ type }) => type === SUBMODULE),
  };
}

/** @type {(tree: string, files: Entry[]) => string[]} paths of files whose contents a partial clone has not fetched */
function listLost(tree, files) {
  const list = [
    'rev-list',
    '--objects',
    '--no-object-names',
    '--missing=print',
    '--no-walk',
    'HEAD',
  ];
  const ids = new Set(
    runGit(tree, list, { isOwn: true })
      .split('\n')
      .filter((line) => line.startsWith('?'))
      .map((line) => line.slice(1)),
  );
  return files.filter(({ id }) => ids.has(id)).map(({ path }) => path);
}

const NAMED = 3;

/** @type {(lost: string[], source: Source) => Absence[]} */
function describeLost(lost, { typed, commit }) {
  if (lost.length === 0) return [];
  const names = lost.slice(0, NAMED).map((path) => `'${path}'`);
  const rest = lost.length > NAMED ? ` and ${lost.length - NAMED} more` : '';
  return [
    {
      what: `${countOf(lost.length, 'file')} whose content the clone does not have: ${names.join(', ')}${rest}`,
      remedy: `'${quoteWords(['git', '-C', typed, 'archive', '--output=/dev/null', commit])}' fetches them`,
    },
  ];
}

/**
 * Checks out a submodule from the user's clone of it.
 * @type {(tree: string, submodule: Entry, source: Source) => Absence[]}
 */
function fillSubmodule(tree, { path, id }, { repositoryPath, typed }) {
  const name = findSubmoduleName(tree, path);
  const clone = findGitPath(repositoryPath, join('modules', name));
  if (existsSync(clone) && askGit(clone, ['cat-file', '-e', `${id}^{commit}`]) !== null) {
    const source = { repositoryPath: clone, commit: id, typed: join(typed, path) };
    return fillTree(join(tree, path), source);
  }
  return [
    {
      what: `the submodule '${path}'`,
      remedy: `'${quoteWords(['git', '-C', typed, 'submodule', 'update', '--init', path])}' fetches it`,
    },
  ];
}

const PATH_SETTING = /^submodule\.(.*)\.path (.*)$/s;

/** @type {(tree: string, path: string) => string} */
function findSubmoduleName(tree, path) {
  const settings = askGit(tree, [
    'config',
    '--file',
    '.gitmodules',
    '--get-regexp',
    String.raw`\.path$`,
  ]);
  const names = (settings ?? '')
    .split('\n')
    .map((line) => PATH_SETTING.exec(line))
    .flatMap((match) => (match?.[2] === path ? [match[1]] : []));
  return names[0] ?? path;
}

/** A dependency that is a file: `file:../tools/assay-0.1.0.tgz`. */
const FILE = /\bfile:(\.\.?\/[^"'\s,:#)]+)/g;
/** Of a file outside of the repository, which may have been made again since. */
const INTEGRITY = /("resolved": "file:\/[^"]*",)\s*"integrity": "[^"]*",/g;

/**
 * Has dependencies that are files outside of the repository found where they are, since the checkout is elsewhere.
 * @type {(path: string, places: { tree: string, original: string }) => void}
 */
function redirectFiles(path, { tree, original }) {
  for (const directory of new Set([path, tree])) {
    for (const name of ['package.json', ...LOCK_FILES]) {
      const file = join(directory, name);
      if (!existsSync(file)) continue;
      const text = readFileSync(file, 'utf8');
      const redirected = text.replaceAll(FILE, (whole, relativePath) => {
        const found = [directory, path]
          .map((base) => resolve(original, relative(tree, base), relativePath))
          .find((target) => existsSync(target));
        const isOutside = found !== undefined && relative(original, found).startsWith('..');
        return isOutside ? `file:${found}` : whole;
      });
      if (redirected !== text) writeFileSync(file, redirected.replaceAll(INTEGRITY, '$1'));
    }
  }
}

import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AssayError } from '../lib/errors.js';
import { askGit, runGit } from './git.js';

/** Of a larger file that git does not know, the size stands for the content. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The same difference whatever a user has set git to show. */
const PLAIN_DIFFERENCE = [
  '--binary',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--diff-algorithm=myers',
  '--unified=3',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/**
 * The state of the git checkout that a file or directory lies in.
 *
 * @param {string} path absolute
 * @returns {{ commit: string, changes: string | null } | null} `changes` is `sha256:…` over what is
 *   not committed in the whole checkout, null where nothing is; no state where there is no checkout,
 *   no git or no commit, or where git ignores the path, so that no commit says anything of it
 */
export function describeRevision(path) {
  const isDirectory = statSync(path).isDirectory();
  const directory = isDirectory ? path : dirname(path);
  try {
    const root = askGit(directory, ['rev-parse', '--show-toplevel']);
    if (root === null) return null;
    const name = isDirectory ? '.' : basename(path);
    if (askGit(directory, ['check-ignore', '--quiet', '--', name]) !== null) return null;
    const commit = askGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    return commit === null ? null : { commit, changes: digestChanges(root) };
  } catch (error) {
    // A variant in a directory needs no git: where it fails, nothing is known of the revision.
    if (error instanceof AssayError) return null;
    throw error;
  }
}

/**
 * Digest over what a commit of the working tree would add: the difference to HEAD, and the files that
 * git neither knows nor ignores.
 *
 * @param {string} root absolute path of the checkout
 * @returns {string | null} `sha256:…`; null where the tree is clean
 * @throws {import('../lib/errors.js').MachineError} when git fails
 */
export function digestChanges(root) {
  const difference = runGit(root, ['diff', ...PLAIN_DIFFERENCE, 'HEAD']);
  const unknown = runGit(root, ['ls-files', '--others', '--exclude-standard', '-z'])
    .split('\0')
    .filter((name) => name !== '')
    .sort();
  if (difference === '' && unknown.length === 0) return null;
  const hash = createHash('sha256').update(difference);
  for (const name of unknown) hash.update(`\0${name}\0`).update(readContent(join(root, name)));
  return `sha256:${hash.digest('hex')}`;
}

/** @param {string} file */
function readContent(file) {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return '';
  return stats.size > MAX_FILE_BYTES ? String(stats.size) : readFileSync(file);
}

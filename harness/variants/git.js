import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pickVariables } from '../host/processes.js';
import { AssayError, MachineError, UsageError } from '../lib/errors.js';
import { quoteWords } from '../lib/words.js';

const TIMEOUT_MS = 120_000;
/** Longest output, which is the difference of a working tree to its commit. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Nothing that a checkout brings along or is set up with runs: no hooks, no file watcher. */
const SAFE_SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];

/**
 * Runs git, and expects it to succeed.
 *
 * @param {string} directory absolute path, where it runs
 * @param {string[]} args
 * @param {{ isOwn?: boolean }} [options] `isOwn`: in a repository that Assay made, where the user's
 *   own settings do not count, which might have filters that run on what is checked out
 * @returns {string} what it says, without the last line feed
 * @throws {MachineError} when it fails or is not there
 */
export function runGit(directory, args, options = {}) {
  const { status, stdout, stderr } = spawnGit(directory, args, options);
  if (status === 0) return stdout;
  throw new MachineError(`git ${args[0]} failed in '${directory}': ${lastLine(stderr)}`);
}

/**
 * Asks git something that it may have no answer to.
 *
 * @param {string} directory absolute path, where it runs
 * @param {string[]} args
 * @returns {string | null} what it says, without the last line feed; null where it fails
 * @throws {MachineError} when git is not there
 */
export function askGit(directory, args) {
  const { status, stdout } = spawnGit(directory, args, {});
  return status === 0 ? stdout : null;
}

/**
 * @param {string} directory
 * @param {string[]} args
 * @param {{ isOwn?: boolean }} options
 * @returns {{ status: number | null, stdout: string, stderr: string }}
 */
function spawnGit(directory, args, { isOwn = false }) {
  // A variable like GIT_DIR, which is set where git itself runs Assay, would name another repository.
  const env = {
    ...pickVariables(process.env),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    ...(isOwn ? { GIT_CONFIG_GLOBAL: '/dev/null' } : {}),
  };
  const { error, status, stdout, stderr } = spawnSync(
    'git',
    ['-C', directory, ...SAFE_SETTINGS, ...args],
    { env, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES },
  );
  if (error === undefined) return { status, stdout: stdout.replace(/\n$/, ''), stderr };
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') {
    throw new MachineError('git is not there', { cause: error, remedy: 'install git' });
  }
  throw new MachineError(`git ${args[0]} was ended in '${directory}': ${error.message}`, {
    cause: error,
  });
}

/** @param {string} text */
function lastLine(text) {
  return text.trimEnd().split('\n').at(-1) ?? 'no message';
}

/** In place of a ref: where HEAD branched off from the main branch. */
const MERGE_BASE = 'merge-base';
/** What may be the main branch, the likeliest first. */
const MAIN_BRANCHES = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];

/**
 * A repository with how its directory was typed, which is what messages call it.
 *
 * @typedef {{ path: string, typed: string }} Checkout `path` is absolute
 */

/**
 * @param {Checkout} checkout
 * @throws {UsageError} when there is no such directory, or git knows nothing of it
 */
export function requireCheckout({ path, typed }) {
  if (!existsSync(path)) {
    throw new UsageError(`there is no '${typed}' (${path})`, {
      remedy: 'relative paths start from the directory in which the command was typed',
    });
  }
  if (askGit(path, ['rev-parse', '--git-dir']) !== null) return;
  throw new UsageError(`'${typed}' is not a git checkout that can be read`, {
    remedy: `'${quoteWords(['git', '-C', typed, 'status'])}' tells why; path: takes any directory`,
  });
}

/**
 * @param {Checkout} checkout
 * @param {string} ref branch, tag, commit, `HEAD~2`, or `merge-base`
 * @returns {string} full identity of the commit
 * @throws {UsageError} when there is none
 */
export function findCommit(checkout, ref) {
  if (ref === MERGE_BASE) return findMergeBase(checkout, undefined).commit;
  const commit = lookUp(checkout, ref);
  if (commit !== null) return commit;
  throw new UsageError(`'${checkout.typed}' has no revision '${ref}'`, {
    remedy: adviseFetch(checkout, 'a branch that was only fetched is written origin/BRANCH'),
  });
}

/**
 * Where HEAD branched off.
 *
 * @param {Checkout} checkout
 * @param {string | undefined} base what it branched off from; without it, the main branch
 * @returns {{ commit: string, base: string }}
 * @throws {UsageError} when there is no such branch, or it has no commit in common with HEAD
 */
function findMergeBase(checkout, base) {
  const known = base ?? findMainBranch(checkout);
  const tip = findCommit(checkout, known);
  const commit = askGit(checkout.path, ['merge-base', findCommit(checkout, 'HEAD'), tip]);
  if (commit !== null) return { commit, base: known };
  throw new UsageError(`HEAD of '${checkout.typed}' has no commit in common with ${known}`, {
    remedy: adviseFetch(checkout, 'name another base: --base BRANCH, or git:DIRECTORY@REVISION'),
  });
}

/** @param {Checkout} checkout */
function findMainBranch(checkout) {
  const branch = MAIN_BRANCHES.find((name) => lookUp(checkout, name) !== null);
  if (branch !== undefined) return branch;
  throw new UsageError(
    `'${checkout.typed}' has none of the main branches ${MAIN_BRANCHES.join(', ')}`,
    { remedy: 'say what HEAD branched off from: --base BRANCH, or git:DIRECTORY@REVISION' },
  );
}

/**
 * @param {Checkout} checkout
 * @param {string} ref
 */
function lookUp({ path }, ref) {
  return askGit(path, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
}

/**
 * @param {Checkout} checkout
 * @param {string} otherwise
 */
function adviseFetch({ path, typed }, otherwise) {
  const isShallow = askGit(path, ['rev-parse', '--is-shallow-repository']) === 'true';
  return isShallow
    ? `it is a shallow clone; '${quoteWords(['git', '-C', typed, 'fetch', '--unshallow'])}' brings the rest`
    : otherwise;
}

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
function digestChanges(root) {
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

/**
 * What a pull request from a checkout would change: HEAD, against the commit where it branched off.
 *
 * @param {string} directory of the checkout, as typed
 * @param {string | undefined} base what it branched off from; without it, the main branch
 * @param {string} workingPath what the directory is relative to
 * @returns {{ baseline: string, candidate: string, notes: string[] }} variant specs with commits,
 *   and what the user should know of them
 * @throws {UsageError} when it is no checkout, there is no such branch, or there is nothing to compare
 */
export function findPullRequestSides(directory, base, workingPath) {
  const checkout = { path: resolve(workingPath, directory), typed: directory };
  requireCheckout(checkout);
  const head = findCommit(checkout, 'HEAD');
  const fork = findMergeBase(checkout, base);
  if (fork.commit === head) {
    throw new UsageError(
      `HEAD of '${directory}' has no commit that ${fork.base} does not have: there is nothing to compare`,
      {
        remedy: `check a branch out, name another base (--base BRANCH), or compare uncommitted changes: ${quoteWords(['just', 'compare', `git:${directory}@HEAD`, `path:${directory}`])}`,
      },
    );
  }
  const [baseline, candidate] = [fork.commit, head].map((commit) => shorten(checkout.path, commit));
  return {
    baseline: `git:${directory}@${baseline}`,
    candidate: `git:${directory}@${candidate}`,
    notes: [
      `baseline is ${baseline}, where HEAD branched off from ${fork.base}; candidate is HEAD, ${candidate}`,
      ...noteChanges(checkout.path, directory),
    ],
  };
}

/**
 * @param {string} path
 * @param {string} commit
 */
function shorten(path, commit) {
  return runGit(path, ['rev-parse', '--short=12', commit]);
}

/**
 * @param {string} path
 * @param {string} directory
 * @returns {string[]}
 */
function noteChanges(path, directory) {
  const root = askGit(path, ['rev-parse', '--show-toplevel']);
  if (root === null || digestChanges(root) === null) return [];
  return [`uncommitted changes are not measured; path:${directory} as a variant has them`];
}

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pickVariables } from '../host/processes.js';
import { AssayError, MachineError, UsageError } from '../lib/errors.js';
import { formatCommand } from '../lib/program.js';
import { quoteWords } from '../lib/words.js';

const TIMEOUT_MS = 120_000;
/** Limit of output; the longest is the diff of a working tree. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Disables hooks and file watchers of the checkout. */
const SAFE_SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];

/**
 * Runs git.
 *
 * @param {string} directory absolute working directory
 * @param {string[]} args
 * @param {{ isOwn?: boolean }} [options] `isOwn`: in a repository created by Assay; ignores the
 *   user's settings, which may have filters that run on checkout
 * @returns {string} standard output without the last line feed
 * @throws {MachineError} when it fails or is not installed
 */
export function runGit(directory, args, options = {}) {
  const { status, stdout, stderr } = spawnGit(directory, args, options);
  if (status === 0) return stdout;
  throw new MachineError(`git ${args[0]} failed in '${directory}': ${lastLine(stderr)}`);
}

/**
 * Runs a git command that may fail.
 *
 * @param {string} directory absolute working directory
 * @param {string[]} args
 * @returns {string | null} standard output without the last line feed; null if it fails
 * @throws {MachineError} when git is not installed
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
  // Variables such as GIT_DIR, set if git runs Assay, would select another repository.
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
    throw new MachineError('git is not installed', { cause: error, remedy: 'install git' });
  }
  throw new MachineError(`git ${args[0]} was terminated in '${directory}': ${error.message}`, {
    cause: error,
  });
}

/** @param {string} text */
function lastLine(text) {
  return text.trimEnd().split('\n').at(-1) ?? 'no message';
}

/** Special ref: the merge base of HEAD and the main branch. */
const MERGE_BASE = 'merge-base';
/** Candidates for the main branch in order of preference. */
const MAIN_BRANCHES = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];

/**
 * A repository with its directory as typed, for messages.
 *
 * @typedef {{ path: string, typed: string }} Checkout `path` is absolute
 */

/**
 * @param {Checkout} checkout
 * @throws {UsageError} when the directory does not exist, or is not a git checkout
 */
export function requireCheckout({ path, typed }) {
  if (!existsSync(path)) {
    throw new UsageError(`'${typed}' (${path}) does not exist`, {
      remedy: 'relative paths are relative to the current directory',
    });
  }
  if (askGit(path, ['rev-parse', '--git-dir']) !== null) return;
  throw new UsageError(`'${typed}' is not a readable git checkout`, {
    remedy: `'${quoteWords(['git', '-C', typed, 'status'])}' shows why; path: accepts any directory`,
  });
}

/** @type {(path: string) => { name: string, revision: string }[]} tags with the whole hashes of their commits, the oldest first */
export function listTags(path) {
  // Of an annotated tag, the second is the commit.
  const format = '--format=%(objectname) %(*objectname) %(refname:short)';
  return runGit(path, ['for-each-ref', '--sort=creatordate', format, 'refs/tags'])
    .split('\n')
    .flatMap((line) => {
      const [own, commit, name] = line.split(' ');
      return name === undefined ? [] : { name, revision: commit === '' ? own : commit };
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
  const commit = askCommit(checkout, ref);
  if (commit !== null) return commit;
  throw new UsageError(`'${checkout.typed}' has no revision '${ref}'`, {
    remedy: adviseFetch(checkout, 'a branch of the remote is origin/BRANCH'),
  });
}

/**
 * Merge base of HEAD.
 *
 * @param {Checkout} checkout
 * @param {string | undefined} base base branch; default: the main branch
 * @returns {{ commit: string, base: string }}
 * @throws {UsageError} when the branch does not exist, or has no commit in common with HEAD
 */
function findMergeBase(checkout, base) {
  const known = base ?? findMainBranch(checkout);
  const tip = findCommit(checkout, known);
  const commit = askGit(checkout.path, ['merge-base', findCommit(checkout, 'HEAD'), tip]);
  if (commit !== null) return { commit, base: known };
  throw new UsageError(`HEAD of '${checkout.typed}' has no commit in common with ${known}`, {
    remedy: adviseFetch(checkout, 'choose another base: --base BRANCH, or git:DIRECTORY@REVISION'),
  });
}

/** @param {Checkout} checkout */
function findMainBranch(checkout) {
  const branch = MAIN_BRANCHES.find((name) => askCommit(checkout, name) !== null);
  if (branch !== undefined) return branch;
  throw new UsageError(
    `'${checkout.typed}' has none of the main branches ${MAIN_BRANCHES.join(', ')}`,
    { remedy: 'choose a base: --base BRANCH, or git:DIRECTORY@REVISION' },
  );
}

/** @type {(checkout: Pick<Checkout, 'path'>, ref: string) => string | null} full identity of a commit; null where there is none */
export function askCommit({ path }, ref) {
  return askGit(path, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
}

/** @param {Checkout} checkout @param {string} otherwise */
function adviseFetch({ path, typed }, otherwise) {
  const isShallow = askGit(path, ['rev-parse', '--is-shallow-repository']) === 'true';
  return isShallow
    ? `it is a shallow clone; '${quoteWords(['git', '-C', typed, 'fetch', '--unshallow'])}' fetches the rest`
    : otherwise;
}

/** For larger untracked files, the size is digested instead of the content. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Makes the diff independent of the user's settings. */
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
 * State of the git checkout of a file or directory.
 *
 * @param {string} path absolute
 * @returns {{ commit: string, changes: string | null } | null} `changes` is `sha256:…` of the
 *   uncommitted changes in the whole checkout, null if there are none; null without checkout, git or
 *   commit, or if git ignores the path
 */
export function findRevision(path) {
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
    // A directory does not need git: if it fails, the revision is unknown.
    if (error instanceof AssayError) return null;
    throw error;
  }
}

/**
 * Digest of the uncommitted changes: the diff to HEAD and untracked files.
 *
 * @param {string} root absolute path of the checkout
 * @returns {string | null} `sha256:…`; null for a clean tree
 * @throws {import('../lib/errors.js').MachineError} when git fails
 */
function digestChanges(root) {
  const difference = runGit(root, ['diff', ...PLAIN_DIFFERENCE, 'HEAD']);
  const untracked = runGit(root, ['ls-files', '--others', '--exclude-standard', '-z'])
    .split('\0')
    .filter((name) => name !== '')
    .sort();
  if (difference === '' && untracked.length === 0) return null;
  const hash = createHash('sha256').update(difference);
  for (const name of untracked) hash.update(`\0${name}\0`).update(readContent(join(root, name)));
  return `sha256:${hash.digest('hex')}`;
}

/** @param {string} file */
function readContent(file) {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return '';
  return stats.size > MAX_FILE_BYTES ? String(stats.size) : readFileSync(file);
}

/**
 * Specs of what a pull request from a checkout would change: HEAD and its merge base.
 *
 * @param {string} directory of the checkout, as typed
 * @param {string | undefined} base base branch; default: the main branch
 * @param {string} workingPath base of a relative directory
 * @returns {{ baseline: string, candidate: string, notes: string[] }} variant specs with commits,
 *   and notes for the user
 * @throws {UsageError} when it is not a checkout, the branch does not exist, or there is nothing to compare
 */
export function findPullRequestArms(directory, base, workingPath) {
  const checkout = { path: resolve(workingPath, directory), typed: directory };
  requireCheckout(checkout);
  const head = findCommit(checkout, 'HEAD');
  const fork = findMergeBase(checkout, base);
  if (fork.commit === head) {
    throw new UsageError(
      `HEAD of '${directory}' has no commit that ${fork.base} does not have: there is nothing to compare`,
      {
        remedy: `check out a branch, choose another base (--base BRANCH), or compare uncommitted changes: ${formatCommand(['compare', `git:${directory}@HEAD`, `path:${directory}`])}`,
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

/** @param {string} path @param {string} commit */
function shorten(path, commit) {
  return runGit(path, ['rev-parse', '--short=12', commit]);
}

/** @type {(path: string, directory: string) => string[]} */
function noteChanges(path, directory) {
  const root = askGit(path, ['rev-parse', '--show-toplevel']);
  if (root === null || digestChanges(root) === null) return [];
  return [`uncommitted changes are not measured; use path:${directory} to include them`];
}

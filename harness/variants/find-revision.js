import { existsSync } from 'node:fs';
import { UsageError } from '../lib/errors.js';
import { quoteWords } from '../lib/quote-words.js';
import { askGit } from './git.js';

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
export function findMergeBase(checkout, base) {
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

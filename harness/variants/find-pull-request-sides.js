import { resolve } from 'node:path';
import { UsageError } from '../lib/errors.js';
import { quoteWords } from '../lib/quote-words.js';
import { digestChanges } from './describe-revision.js';
import { findCommit, findMergeBase, requireCheckout } from './find-revision.js';
import { askGit, runGit } from './git.js';

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

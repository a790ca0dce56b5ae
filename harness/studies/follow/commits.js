/** The commits of a followed branch, as git has them. */

import { UsageError } from '../../lib/errors.js';
import { quoteWords, shortHash } from '../../lib/words.js';
import { askGit, findCommit, listTags, requireCheckout, runGit } from '../../variants/git.js';

/** @import { FollowedCommit, FollowedRelease } from '../../formats/types.ts' */
/** @import { Checkout } from '../../variants/git.js' */

/**
 * @typedef {object} Branch
 * @property {string} name
 * @property {FollowedCommit[]} line its commits along first parents, the oldest first; a merge is one commit
 * @property {FollowedRelease[]} releases tags of these, the oldest first
 */

/**
 * Reads the branch that is checked out, or another one.
 *
 * @param {Checkout} checkout
 * @param {string} [wanted] name of the branch; HEAD stands for it where no branch is checked out, as in CI
 * @param {readonly string[]} [known] names that a branch had before it was renamed
 * @returns {Branch}
 * @throws {UsageError} when there is no such checkout or branch, or the clone lacks the history of the branch
 * @throws {import('../../lib/errors.js').MachineError} when git fails
 */
export function readBranch(checkout, wanted, known = []) {
  requireCheckout(checkout);
  const { path, typed } = checkout;
  if (askGit(path, ['rev-parse', '--is-shallow-repository']) === 'true') {
    throw new UsageError(`'${typed}' is a shallow clone, without the history of the branch`, {
      remedy: `fetch it: '${quoteWords(['git', '-C', typed, 'fetch', '--unshallow', '--tags'])}', or fetch-depth: 0 of actions/checkout`,
    });
  }
  const checkedOut = askGit(path, ['symbolic-ref', '--short', '--quiet', 'HEAD']);
  const name = wanted ?? checkedOut;
  if (name === null) {
    throw new UsageError(`no branch is checked out in '${typed}'`, {
      remedy: 'name the one that HEAD stands for: --branch main',
    });
  }
  const isThere = askGit(path, ['rev-parse', '--verify', '--quiet', `refs/heads/${name}`]) !== null;
  const isHead = checkedOut === null || checkedOut === name || (known.includes(name) && !isThere);
  const line = listCommits(path, findCommit(checkout, isHead ? 'HEAD' : name));
  return { name, line, releases: listReleases(path, line) };
}

/** @type {(path: string, tip: string) => FollowedCommit[]} */
function listCommits(path, tip) {
  const format = ['--no-show-signature', '--no-color', '--format=%H%x09%ct%x09%s'];
  return runGit(path, ['log', ...format, '--first-parent', '--reverse', '--end-of-options', tip])
    .split('\n')
    .map((text) => {
      const [revision, seconds, ...words] = text.split('\t');
      const date = new Date(1000 * Number(seconds)).toISOString();
      return { revision, subject: words.join('\t'), date };
    });
}

/** @type {(path: string, line: FollowedCommit[]) => FollowedRelease[]} */
function listReleases(path, line) {
  const places = new Map(line.map(({ revision }, index) => [revision, index]));
  return listTags(path)
    .flatMap(({ name, revision }) => {
      const place = places.get(revision);
      return place === undefined ? [] : { place, name, revision };
    })
    .sort((a, b) => a.place - b.place)
    .map(({ name, revision }) => ({ name, revision }));
}

/**
 * @param {string} directory of the checkout as typed
 * @param {string} revision whole hash
 * @returns {string} spec of that commit
 */
export function specOf(directory, revision) {
  return `git:${directory}@${shortHash(revision)}`;
}

/** Fewer are not expected of a branch that is young or rests. */
const FEWEST_PER_YEAR = 12;
const YEAR_MS = 365 * 24 * 3_600_000;

/**
 * @param {FollowedCommit[]} line
 * @returns {number} commits in the year before the last one, at least twelve
 */
export function countPerYear(line) {
  const sinceMs = Date.parse(line[line.length - 1].date) - YEAR_MS;
  const recent = line.filter(({ date }) => Date.parse(date) > sinceMs);
  return Math.max(FEWEST_PER_YEAR, recent.length);
}

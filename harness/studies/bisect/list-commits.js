import { UsageError } from '../../lib/errors.js';
import { quoteWords } from '../../lib/quote-words.js';
import { findCommit, requireCheckout } from '../../variants/find-revision.js';
import { askGit, runGit } from '../../variants/git.js';

/** @import { Checkout } from '../../variants/find-revision.js' */

/** Digits of a commit's name; git adds some where these do not tell it from another. */
const NAME_DIGITS = 12;
const LOG = [
  'log',
  '--no-show-signature',
  '--no-color',
  `--abbrev=${NAME_DIGITS}`,
  '--format=%h%x09%s',
];

/** @typedef {{ name: string, subject: string }} Commit */

/**
 * The commits that led from one revision to another, along the first parents: what was merged counts
 * as the one merge.
 *
 * @param {Checkout} checkout
 * @param {string} goodRef
 * @param {string} badRef
 * @returns {Commit[]} the oldest first, both ends included
 * @throws {UsageError} when there is no such revision, or the good one is no ancestor of the bad one
 * @throws {import('../../lib/errors.js').MachineError} when git fails
 */
export function listCommits(checkout, goodRef, badRef) {
  requireCheckout(checkout);
  const { path } = checkout;
  const [good, bad] = [goodRef, badRef].map((ref) => findCommit(checkout, ref));
  requireOrder(checkout, { ref: goodRef, commit: good }, { ref: badRef, commit: bad });
  const lines = [
    runGit(path, [...LOG, '--max-count=1', '--end-of-options', good]),
    runGit(path, [...LOG, '--first-parent', '--reverse', '--end-of-options', `${good}..${bad}`]),
  ];
  return lines
    .join('\n')
    .split('\n')
    .map((line) => {
      const [name, ...rest] = line.split('\t');
      return { name, subject: rest.join('\t') };
    });
}

/** @typedef {{ ref: string, commit: string }} End */

/**
 * @param {Checkout} checkout
 * @param {End} good
 * @param {End} bad
 */
function requireOrder({ path, typed }, good, bad) {
  if (good.commit === bad.commit) {
    throw new UsageError(`'${good.ref}' and '${bad.ref}' of '${typed}' are the same commit`, {
      remedy: 'name the last good revision, then a later one that is slower',
    });
  }
  if (isAncestor(path, good.commit, bad.commit)) return;
  const isSwapped = isAncestor(path, bad.commit, good.commit);
  throw new UsageError(`'${good.ref}' is no ancestor of '${bad.ref}' in '${typed}'`, {
    remedy: isSwapped
      ? 'swap them: the good end is the older one'
      : `name a good revision that it descends from: ${quoteWords(['git', '-C', typed, 'merge-base', good.ref, bad.ref])}`,
  });
}

/**
 * @param {string} path
 * @param {string} older
 * @param {string} younger
 */
function isAncestor(path, older, younger) {
  return askGit(path, ['merge-base', '--is-ancestor', older, younger]) !== null;
}

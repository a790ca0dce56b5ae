/** What every commit of a branch is compared with. */

import { UsageError } from '../../lib/errors.js';
import { askCommit } from '../../variants/git.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { specOf } from './commits.js';

/** @import { FollowedStep } from '../../formats/types.ts' */
/** @import { Checkout } from '../../variants/git.js' */
/** @import { Branch } from './commits.js' */

/** @typedef {{ followed: Pick<FollowedStep, 'reference'> }[]} References of records of the branch, the oldest first */

/**
 * @param {Checkout} checkout
 * @param {{ branch: Branch, first: number, records: Readonly<References> }} known `first`: index of the commit to begin with
 * @returns {string} spec of the reference where none is named: that of the records, or else the last release, or the first commit
 * @throws {UsageError} when the checkout no longer has the one of the records
 */
export function usualReference(checkout, { branch: { line, releases }, first, records }) {
  const recorded = records.at(-1)?.followed.reference;
  if (recorded !== undefined) {
    requireReference(checkout, recorded);
    return recorded;
  }
  const contained = new Set(line.slice(0, first + 1).map(({ revision }) => revision));
  const release = releases.findLast(({ revision }) => contained.has(revision));
  return nameCommit(checkout, (release ?? line[first]).revision, release?.name);
}

/** @type {(checkout: Checkout, recorded: string) => void} */
function requireReference(checkout, recorded) {
  const spec = parseVariantSpec(recorded);
  if (spec.kind !== 'git' || spec.directory !== checkout.typed) return;
  if (askCommit(checkout, spec.ref) !== null) return;
  throw new UsageError(`'${spec.ref}', the recorded reference, is not in '${checkout.typed}'`, {
    remedy: 'fetch the tags, or begin a new line of points with --reference',
  });
}

/** What git may know as a name: neither an option nor a spec with a prefix. */
const REVISION = /^[^-:][^:]*$/;
const PACKAGE = /^npm:(?:@[^/@]+\/)?[^/@]+$/;

/**
 * A package without a version means the newest one when the series began: with another for each release, every line would
 * begin anew.
 *
 * @param {Checkout} checkout
 * @param {string} name as typed
 * @param {Readonly<References>} records
 * @returns {string | null} spec of the tag, branch or commit of that name, or of the package that stands for it already; null where
 *   it is another variant, or none
 */
export function findReference(checkout, name, records) {
  const revision = REVISION.test(name) ? askCommit(checkout, name) : null;
  if (revision !== null) {
    // A branch goes on, and would be another reference tomorrow.
    const isTag = askCommit(checkout, `refs/tags/${name}`) !== null;
    return nameCommit(checkout, revision, isTag ? name : undefined);
  }
  const kept = PACKAGE.test(name)
    ? records.findLast(({ followed }) => followed.reference.startsWith(`${name}@`))
    : undefined;
  return kept?.followed.reference ?? null;
}

/**
 * @param {Checkout} checkout
 * @param {string} revision whole hash
 * @param {string} [tag] of it
 * @returns {string} spec by the tag, or by the commit where a spec cannot have that name, as `codec@1.0.0` of a monorepo
 */
function nameCommit({ typed }, revision, tag = '') {
  return /^[0-9A-Za-z](?:(?!\.\.)[\w./-])*$/.test(tag)
    ? `git:${typed}@${tag}`
    : specOf(typed, revision);
}

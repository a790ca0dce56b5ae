/** Where the code of both sides comes from, as far as its spec does not tell. */

/** @import { Manifest, ResolvedVariant } from '../../harness/types.ts' */
/** @import { Fact } from './run-facts.js' */

const COMMIT_LENGTH = 10;
const SHORT_DIGEST = /^(sha\d+[:-].{10}).+$/;

/**
 * Revision and build of each side.
 *
 * @param {Manifest['variants']} variants
 * @param {'whole' | 'short'} [form] `short` cuts the digest of uncommitted changes
 * @returns {Fact[]} of those that have any: `['baseline revision', 'commit 0231603a1b']`
 */
export function listVariantFacts(variants, form = 'whole') {
  const sides = /** @type {const} */ (['baseline', 'candidate', 'reference']);
  return sides.flatMap((side) =>
    describeSource(variants[side], form).map(
      ([name, text]) => /** @type {Fact} */ ([`${side} ${name}`, text]),
    ),
  );
}

/**
 * @param {ResolvedVariant} variant
 * @param {'whole' | 'short'} form
 * @returns {Fact[]}
 */
function describeSource({ revision, build }, form) {
  /** @type {Fact[]} */
  const facts = [];
  if (revision !== undefined) facts.push(['revision', describeRevision(revision, form)]);
  if (build !== undefined) facts.push(['build', build]);
  return facts;
}

/**
 * @param {NonNullable<ResolvedVariant['revision']>} revision
 * @param {'whole' | 'short'} form
 * @returns {string}
 */
function describeRevision({ commit, changes }, form) {
  const text = `commit ${commit.slice(0, COMMIT_LENGTH)}`;
  if (changes === null) return text;
  return `${text} with uncommitted changes ${form === 'short' ? shortenDigest(changes) : changes}`;
}

/**
 * @param {string} digest
 * @returns {string} `sha512-q83vEjRWeJ…`
 */
export function shortenDigest(digest) {
  return digest.replace(SHORT_DIGEST, '$1…');
}

/** Where the code of both sides comes from, as far as its spec does not tell. */

/** @import { Manifest, ResolvedVariant } from '../../harness/formats/types.ts' */
/** @import { Fact } from './run-facts.js' */

const COMMIT_LENGTH = 10;
const SHORT_DIGEST = /^(sha\d+[:-].{10}).+$/;

const SIDES = /** @type {const} */ (['baseline', 'candidate', 'reference']);

/**
 * Revision and build of each side, and the toolchain that built and runs it.
 *
 * @param {Manifest['variants']} variants
 * @param {'whole' | 'short'} [form] `short` cuts the digest of uncommitted changes
 * @returns {Fact[]} of those that have any: `['baseline revision', 'commit 0231603a1b']`
 */
export function listVariantFacts(variants, form = 'whole') {
  const sources = SIDES.flatMap((side) =>
    describeSource(variants[side], form).map(
      ([name, text]) => /** @type {Fact} */ ([`${side} ${name}`, text]),
    ),
  );
  return [...sources, ...listToolchainFacts(variants)];
}

/**
 * @param {Manifest['variants']} variants
 * @returns {Fact[]} `['toolchain', 'cargo 1.95.0, rustc 1.95.0']`, or one a side where they differ;
 *   none where nothing was built
 */
function listToolchainFacts(variants) {
  const known = SIDES.flatMap((side) => {
    const text = describeToolchain(variants[side]);
    return text === '' ? [] : [/** @type {Fact} */ ([`${side} toolchain`, text])];
  });
  const isSame = new Set(known.map(([, text]) => text)).size === 1;
  return isSame ? [['toolchain', known[0]?.[1] ?? '']] : known;
}

/**
 * @param {Pick<ResolvedVariant, 'toolchain'>} variant
 * @returns {string} empty without one
 */
function describeToolchain({ toolchain = {} }) {
  return Object.entries(toolchain)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
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

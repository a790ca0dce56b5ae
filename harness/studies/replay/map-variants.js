import { UsageError } from '../../lib/errors.js';
import { countOf } from '../../lib/numbers.js';
import { PROGRAM } from '../../lib/program.js';
import { addPin, quoteWords, splitPin } from '../../lib/words.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { quoteText, refuse } from './question.js';

/** @import { Question, ReplayRecord, VariantIdentity, VariantSpec } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/**
 * Maps the variants of a report to specs to measure here. Built-in variants and versions of the family's
 * packages stay as they are; checkouts and paths must be mapped by the user.
 *
 * @param {Pick<ReplayRecord, 'question' | 'variants'>} record of the right form
 * @param {FoundFamily} family
 * @param {string[]} maps `git:../js-bson=../mine`, as typed
 * @returns {Pick<Question, 'baseline' | 'candidates'>} with the commit and the Node that were measured
 * @throws {import('../../lib/errors.js').FormatError} when an arm may not be loaded
 * @throws {UsageError} when a map is missing, or matches nothing
 */
export function mapVariants({ question, variants }, family, maps) {
  const unused = new Set(maps);
  const { baseline, candidates } = question;
  if (variants.candidates.length !== candidates.length) {
    refuse(
      `it measured ${variants.candidates.length} of ${countOf(candidates.length, 'candidate')}`,
    );
  }
  /** @type {(variant: VariantIdentity, asked: string) => string} */
  const mapVariant = (variant, asked) => {
    if (variant.spec !== asked) {
      refuse(`it measured ${quoteText(variant.spec)} instead of ${quoteText(asked)}`);
    }
    const spec = parseVariantSpec(variant.spec);
    if (spec.kind !== variant.kind) {
      refuse(`${quoteText(variant.spec)} is not of the kind '${variant.kind}'`);
    }
    return addPin(mapSpec(spec, variant, { family, maps, unused }), pinOf(spec, variant));
  };
  const mapped = {
    baseline: mapVariant(variants.baseline, baseline),
    candidates: variants.candidates.map((variant, index) => mapVariant(variant, candidates[index])),
  };
  const [extra] = unused;
  if (extra !== undefined) {
    throw new UsageError(`--map '${extra}' matches no variant of the report`, {
      remedy: `it compares ${quoteText(baseline)} with ${candidates.map(quoteText).join(', ')}; write --map git:DIRECTORY=HERE or --map path:DIRECTORY=HERE with DIRECTORY as the report names it`,
    });
  }
  for (const text of [mapped.baseline, ...mapped.candidates]) parseVariantSpec(text);
  return mapped;
}

/**
 * @param {VariantSpec} spec
 * @param {VariantIdentity} variant
 * @param {{ family: FoundFamily, maps: string[], unused: Set<string> }} context
 * @returns {string} without the pin
 */
function mapSpec(spec, variant, { family, maps, unused }) {
  switch (spec.kind) {
    case 'built-in':
      requireBuiltIn(spec, family);
      return splitPin(spec.text).spec;
    case 'npm':
      requireOwnPackage(spec, variant, family);
      return splitPin(spec.text).spec;
    case 'package':
      requireRegistry(spec, variant, family);
      return splitPin(spec.text).spec;
    case 'git':
      return `git:${findPlace('git', spec.directory, maps, unused)}@${commitOf(variant)}`;
    case 'path':
      return `path:${findPlace('path', spec.path, maps, unused)}`;
  }
}

/** @param {Extract<VariantSpec, { kind: 'built-in' }>} spec @param {FoundFamily} family */
function requireBuiltIn({ text, family: named, name }, { name: familyName, variants }) {
  if ((named ?? familyName) === familyName && variants.includes(name)) return;
  refuse(
    `this checkout has no variant ${quoteText(text)} of ${familyName}`,
    `'${PROGRAM} variants' lists what it has; another revision of Assay may have more`,
  );
}

/**
 * @param {Extract<VariantSpec, { kind: 'npm' }>} spec
 * @param {VariantIdentity} variant
 * @param {FoundFamily} family
 */
function requireOwnPackage(spec, variant, { name, packages }) {
  const { text, packageName, version, isArchive } = spec;
  if (isArchive === true) {
    refuse(
      `${quoteText(text)} is an archive, and only versions in the registry are installed for a report`,
      `if you trust it, compare directly: ${PROGRAM} compare BASELINE CANDIDATE`,
    );
  }
  if (!packages.includes(packageName)) {
    refuse(
      `${quoteText(text)} is not a package of ${name}, and only those are installed for a report`,
      `if you trust it, compare directly: ${PROGRAM} compare BASELINE CANDIDATE`,
    );
  }
  requireVersion(text, version, variant);
}

/**
 * @param {Extract<VariantSpec, { kind: 'package' }>} spec
 * @param {VariantIdentity} variant
 * @param {FoundFamily} family
 */
function requireRegistry(
  { text, registry, packageName, version },
  variant,
  { name, registries = {} },
) {
  if (!Object.hasOwn(registries, registry) || !registries[registry].includes(packageName)) {
    refuse(
      `${quoteText(text)} is not a package of ${name}, and only those are fetched for a report`,
      `if you trust it, compare directly: ${PROGRAM} compare BASELINE CANDIDATE`,
    );
  }
  requireVersion(text, version, variant);
}

/**
 * @param {string} text the spec
 * @param {string} version of the spec
 * @param {VariantIdentity} variant
 */
function requireVersion(text, version, variant) {
  if (variant.version === version && variant.integrity !== undefined) return;
  refuse(`it does not state version and integrity of ${quoteText(text)}`);
}

/**
 * @param {'git' | 'path'} kind
 * @param {string} place as in the report, compared as text
 * @param {string[]} maps
 * @param {Set<string>} unused maps that have matched nothing yet
 * @returns {string}
 */
function findPlace(kind, place, maps, unused) {
  const from = `${kind}:${place}=`;
  const map = maps.find((text) => text.startsWith(from) && text.length > from.length);
  if (map === undefined) {
    throw new UsageError(
      `the report measured ${quoteText(`${kind}:${place}`)}, which has to be mapped to a place here`,
      { remedy: `name its place here with: --map ${quoteWords([`${from}HERE`])}` },
    );
  }
  unused.delete(map);
  return map.slice(from.length);
}

/** @param {VariantIdentity} variant */
function commitOf({ spec, revision }) {
  if (revision !== undefined && revision.changes === null) return revision.commit;
  return refuse(`it does not state the commit of ${quoteText(spec)}`);
}

/**
 * @param {VariantSpec} spec
 * @param {VariantIdentity} variant
 * @returns {string | null} the exact runtime that it is pinned to; null if it is not pinned
 */
function pinOf({ text, runtime: wanted }, { runtime: measured }) {
  const runtime = measured ?? null;
  if (wanted === runtime || (wanted !== null && runtime?.startsWith(`${wanted}.`) === true)) {
    return runtime;
  }
  return refuse(`${quoteText(text)} was not measured under ${quoteText(runtime ?? 'its runtime')}`);
}

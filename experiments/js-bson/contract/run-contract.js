import { runThemes } from '../../support/contract.js';
import { findCheckoutDifferences, findKnownDifferences } from './known-differences.js';
import { CONTRACT } from './table.js';

/** @import { ContractRow, VariantDescription } from '../../../harness/formats/types.ts' */
/** @import { Codec, Theme } from './types.ts' */

/** Functions under test, which a variant must export itself. */
const OWN = ['serialize', 'serializeWithBufferAndIndex', 'deserialize'];

const DEPTH_ROW = 'maximum-depth';
const USES_CALL_STACK =
  'nested documents use the call stack, which ends after some thousand levels';

/**
 * Checks a variant against the behaviour contract. A row that breaks fails unless the variant (or,
 * for a published version, `known-differences.js`) declares it. A checkout of a published version
 * may have the differences of that version or may have fixed them.
 *
 * @param {object} module namespace of the variant
 * @param {Codec} reference namespace of npm `bson`
 * @param {{ spec: string, modulePath?: string }} variant
 * @param {Theme[]} [themes]
 * @returns {Promise<ContractRow[]>}
 */
export async function runContract(module, reference, { spec, modulePath }, themes = CONTRACT) {
  const codec = completeCodec(module, reference);
  return runThemes(themes, [codec, reference], {
    declared: { ...findKnownDifferences(spec), ...listDeclared(codec.variant) },
    possible: modulePath === undefined ? {} : findCheckoutDifferences(spec, modulePath),
  });
}

/**
 * A codec may use the value classes of the npm package, so classes that the variant does not export
 * are taken from the reference. The functions that read and write BSON never are.
 *
 * @param {object} module namespace of the variant
 * @param {Codec} reference namespace of npm `bson`
 * @returns {Codec}
 */
function completeCodec(module, reference) {
  const lent = Object.entries(reference).filter(([name]) => !OWN.includes(name));
  return { ...Object.fromEntries(lent), ...module };
}

/**
 * @param {VariantDescription | undefined} description
 * @returns {Record<string, string>} reasons by row
 */
function listDeclared(description) {
  const byStack = description?.usesCallStack === true ? { [DEPTH_ROW]: USES_CALL_STACK } : {};
  return { ...byStack, ...description?.breaks };
}

import { UsageError } from '../../lib/errors.js';
import { loadVariant } from '../../variants/families.js';
import { parseList } from './parse-options.js';

/** @import { VariantSpec } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

/**
 * The operations that variants are held to: those that are named, else of the family's usual ones those
 * that all of the variants have, else whatever all of them have.
 *
 * @param {VariantSpec[]} specs
 * @param {FoundFamily} family
 * @param {string} [text] as typed, separated by commas
 * @returns {Promise<string[]>}
 * @throws {UsageError} when one of the variants lacks an operation that is named, or they share none
 */
export async function chooseOperations(specs, family, text) {
  const limits = await findLimits(specs, family);
  const named = parseList(text);
  if (named !== undefined) {
    for (const name of named) requireOperation(name, limits);
    return named;
  }
  /** @param {string} name */
  const isShared = (name) => limits.every(({ operations }) => operations.includes(name));
  const usual = family.defaultOperations.filter(isShared);
  if (usual.length > 0) return usual;
  const shared = family.operations.filter(isShared);
  if (shared.length > 0) return shared;
  const texts = limits.map(({ spec }) => `'${spec}'`).join(' and ');
  throw new UsageError(`${texts} have no operation in common`, {
    remedy: limits.map(tellOperations).join('; '),
  });
}

/** @typedef {{ spec: string, operations: string[] }} Limit of a variant that has not all operations */

/**
 * @param {VariantSpec[]} specs
 * @param {FoundFamily} family
 * @returns {Promise<Limit[]>}
 */
async function findLimits(specs, family) {
  /** @type {Limit[]} */
  const limits = [];
  for (const spec of specs) {
    // One that the family does not have is refused where it is resolved.
    if (spec.kind !== 'built-in' || !family.variants.includes(spec.name)) continue;
    const { operations } = (await loadVariant(family, spec.name)).module.variant;
    if (operations !== undefined) limits.push({ spec: spec.text, operations });
  }
  return limits;
}

/**
 * @param {string} name
 * @param {Limit[]} limits
 */
function requireOperation(name, limits) {
  const limit = limits.find(({ operations }) => !operations.includes(name));
  if (limit === undefined) return;
  throw new UsageError(`'${limit.spec}' does not have the operation ${name}`, {
    remedy: tellOperations(limit),
  });
}

/** @param {Limit} limit */
function tellOperations({ spec, operations }) {
  return `'${spec}' has ${operations.join(', ')} alone`;
}

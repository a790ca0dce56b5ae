import { BYTE_MUTATIONS } from './mutate-bytes.js';
import { STRUCTURAL_MUTATIONS } from './mutate-structure.js';
import { READ_OPTIONS, WRITE_OPTIONS } from './options.js';

/** @import { Draft } from './draft.js' */
/** @import { FastChance } from './fast-chance.js' */
/** @import { Pool } from './make-pool.js' */

/**
 * How a mutated document is read and written again.
 *
 * @typedef {{ readOptions: Record<string, any>, writeOptions: Record<string, any> }} Handling
 */

/**
 * Makes a random document: a seedling with one to four mutations.
 *
 * @param {Draft} draft takes the bytes
 * @param {Pool} pool
 * @param {FastChance} chance
 * @returns {Handling}
 */
export function mutateDocument(draft, { seedlings, cases }, chance) {
  // The same number of draws in both cases, so that a new case does not change other documents.
  const isCase = chance.happens(4) && cases.length > 0;
  const seedling = chance.pick(isCase ? cases : seedlings);
  draft.load(seedling.bytes);
  const isStructural = chance.happens(70);
  if (isStructural) chance.pick(STRUCTURAL_MUTATIONS)(draft, seedling, chance, seedlings);
  const byteCount = isStructural ? chance.below(5) - 2 : 1 + chance.below(3);
  for (let left = byteCount; left > 0; left--) chance.pick(BYTE_MUTATIONS)(draft, chance);
  const readOptions = chance.happens(50) ? READ_OPTIONS[0] : chance.pick(READ_OPTIONS);
  const writeOptions = chance.happens(80) ? WRITE_OPTIONS[0] : chance.pick(WRITE_OPTIONS);
  if (draft.index === 0) return { readOptions, writeOptions };
  const place = { index: draft.index, allowObjectSmallerThanBufferSize: true };
  return { readOptions: { ...readOptions, ...place }, writeOptions };
}

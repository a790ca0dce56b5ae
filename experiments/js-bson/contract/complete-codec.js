/** @import { Codec } from './types.ts' */

/** What a variant must bring itself, because it is what is under test. */
const OWN = ['serialize', 'serializeWithBufferAndIndex', 'deserialize'];

/**
 * A variant as the contract sees it. A codec may leave the value classes to the npm package, and
 * make and take its instances: rows that need a class which the variant does not export use the
 * reference's. The functions that read and write BSON are never lent.
 *
 * @param {object} module namespace of the variant
 * @param {Codec} reference namespace of npm `bson`
 * @returns {Codec}
 */
export function completeCodec(module, reference) {
  const lent = Object.entries(reference).filter(([name]) => !OWN.includes(name));
  return { ...Object.fromEntries(lent), ...module };
}

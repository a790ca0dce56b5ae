import { RandomValues } from './random-values.js';

/**
 * The `documents` of a corpus that takes a count: one after the other from one seeded source, so
 * that fewer are the first of more.
 *
 * @param {number} seed 32-bit integer
 * @param {number} defaultCount
 * @param {(random: RandomValues, index: number) => Record<string, unknown>} makeDocument
 */
export function makeSeries(seed, defaultCount, makeDocument) {
  return function* generateDocuments(count = defaultCount) {
    const random = new RandomValues(seed);
    for (let index = 0; index < count; index++) yield makeDocument(random, index);
  };
}

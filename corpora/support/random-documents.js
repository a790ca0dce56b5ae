import { Long } from 'bson';
import { RandomValues, repeat } from './random-values.js';

const KEY_LENGTH = 8;
const STRING_LENGTH = 80;

/**
 * A document like the drivers' flat benchmark document: unique keys; strings, and an equal number of
 * each other type.
 *
 * @param {RandomValues} random
 * @param {{ strings: number, ofEachOther: number }} fields number, besides `_id`; the other types
 *   are int32, double, int64 and boolean
 * @returns {Record<string, unknown>} of `1 + strings + 4 * ofEachOther` fields
 */
export function makeFlatDocument(random, { strings, ofEachOther }) {
  const values = random.shuffle([
    ...repeat(strings, () => random.text(STRING_LENGTH)),
    ...repeat(ofEachOther, () => random.integer(-(2 ** 31), 2 ** 31 - 1)),
    ...repeat(ofEachOther, () => random.fraction()),
    ...repeat(ofEachOther, () => Long.fromBigInt(random.int64())),
    ...repeat(ofEachOther, () => random.boolean()),
  ]);
  /** @type {Record<string, unknown>} */
  const document = { _id: random.objectId() };
  for (const value of values) document[random.key(KEY_LENGTH)] = value;
  return document;
}

/** From this many keys on V8 keeps an object created by JSON.parse as a dictionary. */
const DICTIONARY_KEYS = 128;

/**
 * Makes a document on either side of V8's limit; the two differ by one boolean at the end.
 *
 * @param {'below' | 'at'} side of the limit
 * @returns {Record<string, unknown>} 127 or 128 fields
 */
export function makeFlatNeighbour(side) {
  const strings = 42;
  const document = makeFlatDocument(new RandomValues(0x5eed_0127), {
    strings,
    ofEachOther: (DICTIONARY_KEYS - 2 - strings) / 4,
  });
  return side === 'at' ? { ...document, oneMore: true } : document;
}

/**
 * Makes `documents` for a corpus that takes a count: draws one after the other from one seeded source,
 * so a smaller count yields the first documents of a larger one.
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

import { Long } from 'bson';
import { RandomValues, repeat } from '../support/random-values.js';

const KEY_LENGTH = 8;
const STRING_LENGTH = 80;

/**
 * A document like the drivers' flat benchmark document: unique keys; strings, and an equal number of
 * each other type.
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

function* generateDocuments() {
  yield makeFlatDocument(new RandomValues(0x5eed_f1a7), { strings: 48, ofEachOther: 24 });
}

/**
 * Modelled on the drivers' flat benchmark document: one object of 145 fields, more than the
 * 128 keys from which on V8 keeps a parsed object as a dictionary.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'flat',
  stresses: 'one wide document: 145 unique keys, strings, numbers, booleans',
  digest: 'sha256:980d15d9ec4907d420e516d80488a01388588386e9930e6edba3abf93017b198',
  documents: generateDocuments,
};

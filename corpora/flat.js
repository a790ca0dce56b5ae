import { Long } from 'bson';
import { RandomValues, repeat } from './support/random-values.js';

const KEY_LENGTH = 8;
const STRING_LENGTH = 80;
const FIELDS_OF_EACH_NUMBER_TYPE = 24;
const STRING_FIELDS = 48;

function* generateDocuments() {
  const random = new RandomValues(0x5eed_f1a7);
  const values = random.shuffle([
    ...repeat(STRING_FIELDS, () => random.text(STRING_LENGTH)),
    ...repeat(FIELDS_OF_EACH_NUMBER_TYPE, () => random.integer(-(2 ** 31), 2 ** 31 - 1)),
    ...repeat(FIELDS_OF_EACH_NUMBER_TYPE, () => random.fraction()),
    ...repeat(FIELDS_OF_EACH_NUMBER_TYPE, () => Long.fromBigInt(random.int64())),
    ...repeat(FIELDS_OF_EACH_NUMBER_TYPE, () => random.boolean()),
  ]);
  /** @type {Record<string, unknown>} */
  const document = { _id: random.objectId() };
  for (const value of values) document[random.key(KEY_LENGTH)] = value;
  yield document;
}

/**
 * After the drivers' flat benchmark document: one object of 145 fields, above the 128 keys from
 * which V8 makes a parsed object a dictionary.
 *
 * @type {import('../harness/types.ts').Corpus}
 */
export const corpus = {
  name: 'flat',
  stresses: 'one wide document: 145 unique keys, strings and numbers; a dictionary when parsed',
  digest: 'sha256:980d15d9ec4907d420e516d80488a01388588386e9930e6edba3abf93017b198',
  documents: generateDocuments,
};

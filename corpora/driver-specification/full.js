import { Binary, Code, Long, MaxKey, MinKey, Timestamp } from 'bson';
import { RandomValues, repeat } from '../support/random-values.js';

const KEY_LENGTH = 8;
const PAYLOAD_LENGTH = 80;
const UINT32_MAX = 2 ** 32 - 1;
// Distribution of the 73 int32 values: 40 in arrays, 15 in objects, 12 in scopes, 6 at the root.
const ARRAY_LENGTHS = [4, 5, 6, 7, 8, 10];
const OBJECT_SIZES = [2, 2, 2, 3, 3, 3];
const ROOT_INTEGERS = 6;

/** @param {RandomValues} random */
function makeInteger(random) {
  return random.integer(-(2 ** 31), 2 ** 31 - 1);
}

/**
 * @param {RandomValues} random
 * @param {number} size number of fields
 */
function makeObject(random, size) {
  return Object.fromEntries(repeat(size, () => [random.key(KEY_LENGTH), makeInteger(random)]));
}

/** @param {RandomValues} random */
function makeTimestamp(random) {
  return new Timestamp({ t: random.integer(0, UINT32_MAX), i: random.integer(0, UINT32_MAX) });
}

/** @type {(random: RandomValues) => unknown[]} the values of the root, without `_id` */
function makeValues(random) {
  return [
    ...repeat(ROOT_INTEGERS, () => makeInteger(random)),
    ...ARRAY_LENGTHS.map((length) => repeat(length, () => makeInteger(random))),
    ...OBJECT_SIZES.map((size) => makeObject(random, size)),
    ...repeat(12, () => new Code(random.text(PAYLOAD_LENGTH), makeObject(random, 1))),
    ...repeat(6, () => random.fraction()),
    ...repeat(6, () => Long.fromBigInt(random.int64())),
    ...repeat(6, () => new Binary(random.bytes(PAYLOAD_LENGTH))),
    ...repeat(6, () => random.text(PAYLOAD_LENGTH)),
    ...repeat(6, () => random.date()),
    ...repeat(6, () => makeTimestamp(random)),
    ...repeat(6, () => new MinKey()),
    ...repeat(6, () => new MaxKey()),
    ...repeat(12, () => random.boolean()),
  ];
}

function* generateDocuments() {
  const random = new RandomValues(0x5eed_f011);
  /** @type {Record<string, unknown>} */
  const document = { _id: random.objectId() };
  for (const value of random.shuffle(makeValues(random))) {
    document[random.key(KEY_LENGTH)] = value;
  }
  yield document;
}

/**
 * Modelled on the drivers' full benchmark document: nearly every BSON type in one document, small nested
 * objects, arrays and scopes among them.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'full',
  stresses: 'type mixture: 14 BSON types, small arrays, objects and code scopes',
  digest: 'sha256:f6768cd3fa71391a621311750b8039f19d9ac8589d6400a5b792014c43913e9e',
  documents: generateDocuments,
};

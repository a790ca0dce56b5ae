import { makeSeries } from '../support/random-values.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 100;
const KEY_LENGTH = 8;
const FIELDS = { least: 5, most: 30 };

/** @param {RandomValues} random */
function makeOddDocument(random) {
  const fieldCount = random.integer(FIELDS.least, FIELDS.most);
  /** @type {Record<string, unknown>} */
  const document = { _id: random.objectId() };
  for (let index = 1; index < fieldCount; index++) {
    document[random.letters(KEY_LENGTH)] = makeValue(random);
  }
  return document;
}

/** @param {RandomValues} random */
function makeValue(random) {
  switch (random.integer(0, 4)) {
    case 0:
      return random.text(20);
    case 1:
      return random.integer(-(2 ** 31), 2 ** 31 - 1);
    case 2:
      return random.fraction();
    case 3:
      return random.boolean();
    default:
      return { [random.letters(KEY_LENGTH)]: random.date() };
  }
}

/**
 * No two documents share a key except `_id`, so caches of keys or shapes do not help, and every call
 * site sees more shapes than V8's inline caches can hold.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'many-shapes',
  stresses: 'a different shape for each document: caches of keys and shapes do not help',
  digest: 'sha256:3e123230f74357e3e8bceed26cf6f67d9056b7d1e9c4bea0337ab235a1a0cff5',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_5aae, DEFAULT_COUNT, makeOddDocument),
};

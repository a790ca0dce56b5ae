import { RandomValues } from '../support/random-values.js';

const FIELDS = 10_000;
const KEY_LENGTH = 8;

function* generateDocuments() {
  const random = new RandomValues(0x5eed_a1de);
  /** @type {Record<string, unknown>} */
  const document = {};
  for (let index = 0; index < FIELDS; index++) {
    document[random.key(KEY_LENGTH)] = random.integer(0, 1_000_000);
  }
  yield document;
}

/**
 * Ten thousand keys with small values: a dictionary for every provenance.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'wide-10000',
  stresses: 'one document of 10 000 unique keys with int32 values: a huge dictionary',
  digest: 'sha256:3962164edf766afd4da90b0d326ac3401a1019e3cff8bb760a103382d65af1be',
  documents: generateDocuments,
};

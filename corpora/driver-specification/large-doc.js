import { RandomValues } from '../support/random-values.js';

const FIELDS = 94_355;
const KEY_LENGTH = 12;
const STRING_LENGTH = 12;

function* generateDocuments() {
  const random = new RandomValues(0x5eed_1a26);
  /** @type {Record<string, unknown>} */
  const document = {};
  for (let index = 0; index < FIELDS; index++) {
    document[random.key(KEY_LENGTH)] =
      index % 2 === 0 ? random.text(STRING_LENGTH) : random.fraction();
  }
  yield document;
}

/**
 * Modelled on the drivers' large benchmark document: one object of 2.5 MB, too large for any cache
 * of shapes or keys, and a dictionary for every provenance.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'large-doc',
  stresses: '2.5 MB in one document of 94 355 unique keys: growing buffers, key look-up',
  digest: 'sha256:a56272cdd3e3675f90c5bb2d9cd942b8359466b311e04f8a9519e55b84267822',
  documents: generateDocuments,
};

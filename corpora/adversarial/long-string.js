import { makeProse } from '../support/prose.js';
import { RandomValues } from '../support/random-values.js';

const STRING_LENGTH = 1_000_000;

function* generateDocuments() {
  const random = new RandomValues(0x5eed_1057);
  yield { _id: random.objectId(), text: makeProse(random, STRING_LENGTH) };
}

/**
 * One string of a million ASCII characters: only the conversion of text to bytes matters.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'long-string',
  stresses: 'one string of 1 MB in ASCII: growing buffers, bulk conversion of text',
  digest: 'sha256:7a6d6275eabd9384425cb103bbba1e87a46f8b40708c6265a962ed69b6db61db',
  documents: generateDocuments,
};

import { makeFlatDocument } from '../support/random-documents.js';
import { RandomValues } from '../support/random-values.js';

function* generateDocuments() {
  yield makeFlatDocument(new RandomValues(0x5eed_f1a7), { strings: 48, ofEachOther: 24 });
}

/**
 * Modelled on the drivers' flat benchmark document: one object of 145 fields, more than the
 * 128 keys from which on V8 keeps a parsed object as a dictionary.
 *
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'flat',
  stresses: 'one wide document: 145 unique keys, strings, numbers, booleans',
  digest: 'sha256:980d15d9ec4907d420e516d80488a01388588386e9930e6edba3abf93017b198',
  documents: generateDocuments,
};

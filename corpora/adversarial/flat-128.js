import { makeFlatNeighbour } from '../support/random-documents.js';

function* generateDocuments() {
  yield makeFlatNeighbour('at');
}

/**
 * The document of flat-127 with one more boolean, which makes it a dictionary when parsed.
 *
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'flat-128',
  stresses: 'flat-127 with one more boolean: a dictionary when parsed',
  digest: 'sha256:9825bd9c260906c7a7cd6e71f8de126f5cda7dff59d6bce8b01a44ce81db9a96',
  documents: generateDocuments,
};

import { makeFlatNeighbour } from '../support/random-documents.js';

function* generateDocuments() {
  yield makeFlatNeighbour('below');
}

/**
 * Like flat, with the maximum number of keys for which V8 keeps an object created by JSON.parse in
 * fast mode. The difference to flat-128 is the cost of dictionary mode.
 *
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'flat-127',
  stresses: 'like flat with 127 keys: the most for which V8 keeps a parsed object fast',
  digest: 'sha256:3e258aae37be528b9204346dfbffe9a6fb843b053b7dfccec136e1898746d190',
  documents: generateDocuments,
};

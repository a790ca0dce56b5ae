import { makeFlatDocument } from '../driver-specification/flat.js';
import { RandomValues } from '../support/random-values.js';

/** @import { Corpus } from '../../harness/formats/types.ts' */

/** From this many keys on, V8 keeps an object created by JSON.parse as a dictionary. */
const DICTIONARY_KEYS = 128;
const STRINGS = 42;

/** @returns {Record<string, unknown>} a document with one key fewer */
function makeFastDocument() {
  const ofEachOther = (DICTIONARY_KEYS - 2 - STRINGS) / 4;
  return makeFlatDocument(new RandomValues(0x5eed_0127), { strings: STRINGS, ofEachOther });
}

function* generateFast() {
  yield makeFastDocument();
}

function* generateDictionary() {
  yield { ...makeFastDocument(), oneMore: true };
}

/**
 * Two documents like flat that differ by one boolean at the end, below and at V8's limit. The
 * difference between them is the cost of dictionary mode.
 * @type {Corpus[]}
 */
export const corpora = [
  {
    name: 'flat-127',
    stresses: 'like flat with 127 keys: the most for which V8 keeps a parsed object fast',
    digest: 'sha256:3e258aae37be528b9204346dfbffe9a6fb843b053b7dfccec136e1898746d190',
    documents: generateFast,
  },
  {
    name: 'flat-128',
    stresses: 'flat-127 with one more boolean: a dictionary when parsed',
    digest: 'sha256:9825bd9c260906c7a7cd6e71f8de126f5cda7dff59d6bce8b01a44ce81db9a96',
    documents: generateDictionary,
  },
];

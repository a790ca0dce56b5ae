import { makeFlatDocument } from './flat-document.js';
import { RandomValues } from './random-values.js';

/** From this many keys on V8 keeps an object as a dictionary when JSON.parse made it. */
const DICTIONARY_KEYS = 128;

/**
 * The pair on either side of V8's limit: the same document, but for one boolean at the end.
 *
 * @param {'below' | 'at'} side of the limit
 * @returns {Record<string, unknown>} 127 or 128 fields
 */
export function makeFlatNeighbour(side) {
  const strings = 42;
  const document = makeFlatDocument(new RandomValues(0x5eed_0127), {
    strings,
    ofEachOther: (DICTIONARY_KEYS - 2 - strings) / 4,
  });
  return side === 'at' ? { ...document, oneMore: true } : document;
}

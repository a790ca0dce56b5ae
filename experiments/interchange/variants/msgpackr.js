import { openPackr } from '../codec/msgpackr.js';

/** @import { FormatModule } from '../codec/types.ts' */

export const libraryName = 'msgpackr';

export const variant = {
  idea: 'MessagePack by msgpackr, with a map for each object',
  source: 'npm package msgpackr 2.1.4',
  breaks: {
    maps: 'a Map comes back as an object',
    'negative-zero': '-0 comes back as 0',
    'lone-surrogates': 'half of a surrogate pair comes back as U+FFFD',
    'proto-key': '__proto__ comes back as __proto_',
  },
};

/** @type {FormatModule['openFormat']} */
export function openFormat(_documents, library) {
  return openPackr(library, { useRecords: false });
}

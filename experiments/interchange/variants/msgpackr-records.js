import { openPackr } from '../codec/msgpackr.js';

/** @import { FormatModule } from '../codec/types.ts' */

export const libraryName = 'msgpackr';

export const variant = {
  idea: 'MessagePack by msgpackr, with records whose structures both sides know',
  source: 'npm package msgpackr 2.1.4, shared record structures',
  neighbour: 'msgpackr',
  breaks: {
    'negative-zero': '-0 comes back as 0',
    'lone-surrogates': 'half of a surrogate pair comes back as U+FFFD',
    'proto-key': '__proto__ comes back as __proto_',
  },
};

/** @type {FormatModule['openFormat']} */
export function openFormat(documents, library) {
  const format = openPackr(library, { structures: [] });
  for (const document of documents) format.encode(document);
  return format;
}

import { openPackr } from '../codec/msgpackr.js';

/** @import { FormatModule } from '../codec/types.ts' */

export const libraryName = 'msgpackr';

export const variant = {
  idea: 'MessagePack by msgpackr, with a map for each object',
  source: 'npm package msgpackr 2.1.4',
  breaks: {},
};

/** @type {FormatModule['openFormat']} */
export function openFormat(_documents, library) {
  return openPackr(library, { useRecords: false });
}

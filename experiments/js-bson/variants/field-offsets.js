import { END_OF_DOCUMENT } from '../codec/element-types.js';
import { readInt32 } from '../codec/numbers.js';
import { endOfKey, endOfValue } from '../less/end-of-value.js';
import { DOLLAR, IRREGULAR, makeElementPicker } from '../less/make-element-picker.js';
import { makeIndexFinder } from '../less/make-index-finder.js';
import { isAt } from '../less/skip-fields.js';

export * from './champion.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Indexes the offsets of all elements of a level in one array of numbers, and reads the fields that are looked up.',
  source: 'LESS.md',
  neighbour: 'skip-fields',
  operations: ['pick-1', 'pick-2', 'pick-4', 'pick-8'],
  differs: ['What is not read is not checked: damage elsewhere in a document is not seen.'],
};

/** @type {(paths: string[][]) => import('../less/pick-objects.js').PickFields} */
export function makePicker(paths) {
  return makeElementPicker(paths, (keys) => makeIndexFinder(keys, { open, find }));
}

/** @type {(bytes: Buffer, start: number, limit: number) => number[]} where keys begin, and their lengths, in turn */
function open(bytes, start, limit) {
  const end = start + readInt32(bytes, start);
  if (end < start + 5 || end > limit) throw IRREGULAR;
  const offsets = [];
  let at = start + 4;
  for (;;) {
    const type = bytes[at++];
    if (type === END_OF_DOCUMENT) break;
    if (bytes[at] === DOLLAR) throw IRREGULAR;
    const keyEnd = endOfKey(bytes, at, end);
    offsets.push(at, keyEnd - at);
    at = endOfValue(bytes, type, keyEnd + 1, end);
  }
  if (at !== end) throw IRREGULAR;
  return offsets;
}

/** @type {(bytes: Buffer, offsets: number[], key: Buffer) => number} */
function find(bytes, offsets, key) {
  for (let index = offsets.length - 2; index >= 0; index -= 2) {
    const start = offsets[index];
    if (offsets[index + 1] === key.length && isAt(bytes, start, key)) return start;
  }
  return -1;
}

import { onDemand } from 'bson';
import { DOLLAR, IRREGULAR, makeElementPicker } from '../less/make-element-picker.js';
import { makeIndexFinder } from '../less/make-index-finder.js';
import { isAt } from '../less/skip-fields.js';

export * from './champion.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Indexes the elements of a level with `onDemand.parseToElements` of bson, which makes an array for each.',
  source: 'LESS.md; bson 7.3.4',
  neighbour: 'field-offsets',
  operations: ['pick-1', 'pick-2', 'pick-4', 'pick-8'],
  differs: ['What is not read is not checked: damage elsewhere in a document is not seen.'],
};

/** @type {(paths: string[][]) => import('../less/pick-objects.js').PickFields} */
export function makePicker(paths) {
  return makeElementPicker(paths, (keys) => makeIndexFinder(keys, { open, find }));
}

/** @typedef {[type: number, keyStart: number, keyLength: number, start: number, length: number]} Element */

/** @type {(bytes: Buffer, start: number) => Element[]} */
function open(bytes, start) {
  const elements = /** @type {Element[]} */ (onDemand.parseToElements(bytes, start));
  for (const [, keyStart] of elements) if (bytes[keyStart] === DOLLAR) throw IRREGULAR;
  return elements;
}

/** @type {(bytes: Buffer, elements: Element[], key: Buffer) => number} */
function find(bytes, elements, key) {
  for (let index = elements.length - 1; index >= 0; index--) {
    const [, keyStart, keyLength] = elements[index];
    if (keyLength === key.length && isAt(bytes, keyStart, key)) return keyStart;
  }
  return -1;
}

import { makeElementPicker } from '../less/make-element-picker.js';
import { makeSkippingFinder } from '../less/skip-fields.js';

export * from './champion.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Compares the keys of a document with those wanted, passes over other values by their sizes, and reads the fields alone.',
  source: 'LESS.md',
  neighbour: 'champion',
  operations: ['pick-1', 'pick-2', 'pick-4', 'pick-8'],
  differs: ['What is not read is not checked: damage elsewhere in a document is not seen.'],
};

/** @type {(paths: string[][]) => import('../less/pick-objects.js').PickFields} */
export function makePicker(paths) {
  return makeElementPicker(paths, makeSkippingFinder);
}

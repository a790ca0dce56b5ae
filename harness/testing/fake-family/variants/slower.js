import { variant as plain } from './plain.js';

/** @import { VariantDescription } from '../../../formats/types.ts' */

export { openReverser, readDocument } from './plain.js';

/** @type {VariantDescription} */
export const variant = {
  idea: 'does the work twice, in a program',
  source: 'harness/testing/fake-family',
  neighbour: 'plain',
  settings: { ...plain.settings, rounds: '2' },
};

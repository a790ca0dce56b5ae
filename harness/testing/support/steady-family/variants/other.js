/** @import { VariantDescription } from '../../../../formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'slower in one operation',
  source: 'harness/testing/support/steady-family',
  neighbour: 'plain',
  settings: { slowness: '10' },
};

/** @import { VariantDescription } from '../../../types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'slower in one operation',
  source: 'harness/test-support/steady-family',
  neighbour: 'plain',
  settings: { slowness: '10' },
};

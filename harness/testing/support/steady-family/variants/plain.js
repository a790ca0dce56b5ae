/** @import { VariantDescription } from '../../../../formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'the figures as they are',
  source: 'harness/testing/support/steady-family',
  settings: { slowness: '0' },
};

/** @import { VariantDescription } from '../../../types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'the figures as they are',
  source: 'harness/test-support/steady-family',
  settings: { slowness: '0' },
};

/** @import { VariantDescription } from '../../../../formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'does the work once',
  source: 'harness/testing/support/program-family',
  settings: { work: 'once', behaviour: 'none', when: 'always', where: 'everywhere' },
};

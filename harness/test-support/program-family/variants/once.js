/** @import { VariantDescription } from '../../../types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'does the work once',
  source: 'harness/test-support/program-family',
  settings: { work: 'once', behaviour: 'none', when: 'always', where: 'everywhere' },
};

/** @import { VariantDescription } from '../../../../formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'does the work twice',
  source: 'harness/testing/support/program-family',
  neighbour: 'once',
  settings: { work: 'twice', behaviour: 'none', when: 'always', where: 'everywhere' },
};

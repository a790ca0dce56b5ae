import { CONVERTS_SCALARS } from '../family.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'Reflection before the change: peeking clones the stack, types are tried one after the other, the output starts empty.',
  source: 'bson-rust #674 (RUST-2401), before',
  differs: [CONVERTS_SCALARS],
  settings: { path: 'facet', peek: 'clone', dispatch: 'chain', capacity: '0' },
};

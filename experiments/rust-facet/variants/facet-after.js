import { CONVERTS_SCALARS } from '../differences.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'Reflection after the change: a look ahead gives a difference, types are told by identity, the output starts with room for 1024 bytes.',
  source: 'bson-rust #674 (RUST-2401), after',
  differs: [CONVERTS_SCALARS],
  settings: { path: 'facet', peek: 'delta', dispatch: 'type-id', capacity: '1024' },
};

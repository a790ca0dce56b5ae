import { CONVERTS_SCALARS } from '../family.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'Reflection after the change: peeking returns a delta, types are identified by id, the output starts with a capacity of 1024 bytes.',
  source: 'bson-rust #674 (RUST-2401), after',
  differs: [CONVERTS_SCALARS],
  settings: { path: 'facet', peek: 'delta', dispatch: 'type-id', capacity: '1024' },
};

import { CONVERTS_SCALARS } from '../family.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'The serializer reads the id of a type once and compares it with constants; the same as facet-after.',
  source: 'bson-rust #674 (RUST-2401), its second mechanism',
  neighbour: 'dispatch-chain',
  differs: [CONVERTS_SCALARS],
  settings: { path: 'facet', peek: 'delta', dispatch: 'type-id', capacity: '1024' },
};

import { CONVERTS_SCALARS } from '../differences.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'As facet-after, but the serializer tries to get a value as one type after the other.',
  source: 'bson-rust #674 (RUST-2401), its second mechanism',
  neighbour: 'dispatch-type-id',
  differs: [CONVERTS_SCALARS],
  settings: { path: 'facet', peek: 'delta', dispatch: 'chain', capacity: '1024' },
};

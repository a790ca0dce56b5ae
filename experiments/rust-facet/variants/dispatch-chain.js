import { CONVERTS_SCALARS } from '../family.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'Like facet-after, but the serializer tries one type after the other for each value.',
  source: 'bson-rust #674 (RUST-2401), its second mechanism',
  neighbour: 'dispatch-type-id',
  differs: [CONVERTS_SCALARS],
  settings: { path: 'facet', peek: 'delta', dispatch: 'chain', capacity: '1024' },
};

import { CONVERTS_SCALARS } from '../differences.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'As facet-after, but the output starts empty and grows.',
  source: 'bson-rust #674 (RUST-2401), a third mechanism that its text does not name',
  neighbour: 'facet-after',
  differs: [CONVERTS_SCALARS],
  settings: { path: 'facet', peek: 'delta', dispatch: 'type-id', capacity: '0' },
};

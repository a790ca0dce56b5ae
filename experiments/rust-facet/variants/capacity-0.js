import { CONVERTS_SCALARS } from '../family.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'Like facet-after, but the output starts empty and grows.',
  source: 'bson-rust #674 (RUST-2401), a third mechanism, which its description does not mention',
  neighbour: 'facet-after',
  differs: [CONVERTS_SCALARS],
  settings: { path: 'facet', peek: 'delta', dispatch: 'type-id', capacity: '0' },
};

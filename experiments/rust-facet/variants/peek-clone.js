import { CONVERTS_SCALARS } from '../family.js';

/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'Like facet-after, but peeking returns a whole state with a cloned stack.',
  source: 'bson-rust #674 (RUST-2401), its first mechanism',
  neighbour: 'facet-after',
  differs: [CONVERTS_SCALARS],
  settings: { path: 'facet', peek: 'clone', dispatch: 'type-id', capacity: '1024' },
};

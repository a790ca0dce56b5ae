/** @import { VariantDescription } from '../../../harness/formats/types.ts' */

/** @type {VariantDescription} */
export const variant = {
  idea: 'The crate bson itself, for types that derive the traits of serde.',
  source: 'crate bson 3.1.0',
  settings: { path: 'serde' },
};

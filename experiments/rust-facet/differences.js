/** What the path by reflection does otherwise than serde. */
export const CONVERTS_SCALARS =
  'A field takes what facet-format 0.47.1 converts to it, where serde refuses: for a number null and text that spells one, for an i32 the low bits of an int64.';

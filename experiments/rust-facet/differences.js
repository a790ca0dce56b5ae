/** How reading by reflection differs from serde. */
export const CONVERTS_SCALARS =
  'A field accepts whatever facet-format 0.47.1 can convert, where serde fails: for a number null and numeric text, for an i32 the low bits of an int64.';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Byte after byte by moving the position, then back; a new array for each string.',
  source: 'org.mongodb:bson 5.4.0, rebuilt',
  settings: {
    input: 'composed',
    library: '5.14.0',
    scan: 'relative',
    string: 'copy',
    buffer: 'heap',
  },
};

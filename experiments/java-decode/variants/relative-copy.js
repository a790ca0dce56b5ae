/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: "Scans byte by byte by moving the buffer's position and resetting it; allocates an array for each string.",
  source: 'org.mongodb:bson 5.4.0, rebuilt',
  settings: {
    input: 'composed',
    library: '5.14.0',
    scan: 'relative',
    string: 'copy',
    buffer: 'heap',
  },
};

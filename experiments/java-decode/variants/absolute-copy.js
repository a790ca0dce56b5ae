/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Scans byte by byte with an index, up to a limit that is read once.',
  source: 'mongo-java-driver #1667',
  neighbour: 'relative-copy',
  settings: {
    input: 'composed',
    library: '5.14.0',
    scan: 'absolute',
    string: 'copy',
    buffer: 'heap',
  },
};

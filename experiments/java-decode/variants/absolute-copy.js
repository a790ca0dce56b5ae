/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Byte after byte by index, up to a limit that is asked for once.',
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

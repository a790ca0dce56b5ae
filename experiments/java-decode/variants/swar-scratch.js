/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Strings through one array that is used again.',
  source: 'mongo-java-driver #1667',
  neighbour: 'swar-copy',
  settings: {
    input: 'composed',
    library: '5.14.0',
    scan: 'swar',
    string: 'scratch',
    buffer: 'heap',
  },
};

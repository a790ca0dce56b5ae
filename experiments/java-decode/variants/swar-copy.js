/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Eight bytes at a time to the end of a name.',
  source: 'mongo-java-driver #1667',
  neighbour: 'absolute-copy',
  settings: { input: 'composed', library: '5.14.0', scan: 'swar', string: 'copy', buffer: 'heap' },
};

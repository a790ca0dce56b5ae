/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Finds the end of a name eight bytes at a time.',
  source: 'mongo-java-driver #1667',
  neighbour: 'absolute-copy',
  settings: { input: 'composed', library: '5.14.0', scan: 'swar', string: 'copy', buffer: 'heap' },
};

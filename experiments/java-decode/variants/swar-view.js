/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Strings straight from the array behind the buffer, where there is one.',
  source: 'mongo-java-driver #1667',
  neighbour: 'swar-copy',
  settings: { input: 'composed', library: '5.14.0', scan: 'swar', string: 'view', buffer: 'heap' },
};

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Makes strings directly from the array behind the buffer, if there is one.',
  source: 'mongo-java-driver #1667',
  neighbour: 'swar-copy',
  settings: { input: 'composed', library: '5.14.0', scan: 'swar', string: 'view', buffer: 'heap' },
};

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'The library before the change: finds the end of a name byte by byte and allocates an array for each string.',
  source: 'org.mongodb:bson 5.4.0, before mongo-java-driver #1667',
  settings: { input: 'library', library: '5.4.0', buffer: 'heap' },
};

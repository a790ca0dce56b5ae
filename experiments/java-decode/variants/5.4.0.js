/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'The library as it was: byte after byte to the end of a name, a new array for each string.',
  source: 'org.mongodb:bson 5.4.0, before mongo-java-driver #1667',
  settings: { input: 'library', library: '5.4.0', buffer: 'heap' },
};

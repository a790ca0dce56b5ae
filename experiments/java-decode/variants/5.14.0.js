/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'The newest pinned version of the library.',
  source: 'org.mongodb:bson 5.14.0',
  neighbour: '5.5.0',
  settings: { input: 'library', library: '5.14.0', buffer: 'heap' },
};

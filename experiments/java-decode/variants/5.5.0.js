/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'The library with the pull request: scans eight bytes at a time and makes strings from the array behind the buffer or from one reused array.',
  source: 'org.mongodb:bson 5.5.0, with mongo-java-driver #1667',
  neighbour: '5.4.0',
  settings: { input: 'library', library: '5.5.0', buffer: 'heap' },
};

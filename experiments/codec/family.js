/** @import { Family } from '../../harness/formats/types.ts' */

/** @type {Family} */
export const family = {
  name: 'codec',
  summary: 'any package that exports a pair of codec functions, on documents of JSON values',
  packages: [],
  takesUnknownPackages: true,
  defaultOperations: ['encode', 'decode'],
  defaultCorpora: ['flat', 'deep', 'movies:20', 'double-array-100:10'],
  memory: ['allocation', 'collections'],
};

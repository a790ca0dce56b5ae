/** @import { Family } from '../../harness/types.ts' */

/** @type {Family} */
export const family = {
  name: 'js-bson',
  summary: 'BSON codecs in JavaScript, with the options and the behaviour of the npm package bson',
  reference: 'npm:bson@7.3.1',
  packages: ['bson'],
  defaultOperations: ['serialize', 'deserialize'],
  defaultCorpora: ['flat', 'deep', 'full'],
};

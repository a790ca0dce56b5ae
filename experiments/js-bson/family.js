/** @import { Family } from '../../harness/formats/types.ts' */

/** @type {Family} */
export const family = {
  name: 'js-bson',
  summary: 'BSON codecs in JavaScript, with the options and the behaviour of the npm package bson',
  reference: 'npm:bson@7.3.4',
  packages: ['bson'],
  takesModules: true,
  defaultOperations: ['serialize', 'deserialize'],
  defaultCorpora: ['flat', 'deep', 'full'],
  calibration: {
    variant: 'linked-list',
    corpora: ['flat', 'deep'],
    costAxes: { arithmetic: 'extra-work', allocation: 'garbage' },
  },
  axes: [
    { name: 'object-id', summary: 'how ObjectIds store their 12 bytes', folder: 'object-ids' },
    { name: 'pool-size', summary: 'ids that share a pool, with object-id=pooled' },
    {
      name: 'cache',
      summary: 'what ObjectIds cache: their hex text, or with object-id=string their bytes',
      values: ['hex-string', 'buffer'],
    },
    {
      name: 'extra-work',
      summary: 'rounds of wasted arithmetic after each document: an injected cost of known size',
    },
    {
      name: 'garbage',
      summary: 'short-lived arrays of eight numbers after each document: an injected cost, too',
    },
  ],
};

/** @import { Family } from '../../harness/formats/types.ts' */
import { isCarried } from './codec/values.js';

/** @type {Family} */
export const family = {
  name: 'interchange',
  summary: 'formats for the same values: JSON, BSON, MessagePack, CBOR, and formats with a schema',
  reference: 'bson',
  packages: [],
  defaultOperations: ['encode', 'decode'],
  defaultCorpora: ['comments', 'movies', 'tweet'],
  takesCorpus: ({ firstDocument }) => isCarried(firstDocument),
  memory: ['allocation', 'collections'],
};

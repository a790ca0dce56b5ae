/** @import { Family } from '../../harness/formats/types.ts' */
import { isCarried } from './codec/values.js';

const NUMBER_CLASSES = ['Double', 'Int32', 'Long'];

/** @type {Family} */
export const family = {
  name: 'interchange',
  summary: 'formats for the same values: JSON, BSON, MessagePack, CBOR, and formats with a schema',
  reference: 'bson',
  packages: [],
  defaultOperations: ['encode', 'decode'],
  defaultCorpora: ['comments', 'movies', 'tweet'],
  // The sample has the types of BSON; most documents are parsed, and then have numbers in their place.
  takesCorpus: ({ firstDocument }) => isCarried(firstDocument, NUMBER_CLASSES),
  memory: ['allocation', 'collections'],
};

import { makeJsonWriter } from '../less/make-json-writer.js';
import { makeTextSink } from '../less/text-sink.js';

export * from './champion.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Makes the JSON text of a document while walking its bytes, as a string, without objects in between.',
  source: 'LESS.md',
  neighbour: 'champion',
  operations: ['bson-to-json'],
};

export const bsonToJson = makeJsonWriter(makeTextSink());

import { makeBytesSink } from '../less/bytes-sink.js';
import { makeJsonWriter } from '../less/make-json-writer.js';

export * from './champion.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Makes the JSON text of a document while walking its bytes, as bytes: text is copied, no string is made.',
  source: 'LESS.md',
  neighbour: 'json-text',
  operations: ['bson-to-json'],
};

export const bsonToJson = makeJsonWriter(makeBytesSink());

import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-linked-list.js';
import { writeDocument } from '../ablations/string-tag-write.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Like linked-list, but identifies the class of a BSON value by `_bsontype`, read once, instead of by the symbol `bsonType`: what does the symbol cost?',
  source: 'js-bson #890 before its review (NODE-7606)',
  neighbour: 'linked-list',
  differs: [
    'An object without the symbol `bsonType` that claims a known `_bsontype` and the version of bson is written as a value of that type; bson rejects it.',
    REFUSES_OVERFLOW,
  ],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-linked-list.js';
import { writeDocument } from '../ablations/repeated-tag-write.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'As string-tag, but `_bsontype` is read anew for every comparison: what does reading it once buy? (Not beside linked-list, which reads another property.)',
  source: 'bson 7.2.0; changed by js-bson #890 (NODE-7606)',
  neighbour: 'string-tag',
  differs: [
    'An object without the symbol `bsonType` that claims a known `_bsontype` and the version of bson is written as a value of that type; bson refuses it.',
    REFUSES_OVERFLOW,
  ],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-linked-list.js';
import { writeDocument } from '../ablations/repeated-tag-write.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Like string-tag, but reads `_bsontype` again for every comparison: what does reading it once gain? (Compared with string-tag because linked-list reads another property.)',
  source: 'bson 7.2.0; changed by js-bson #890 (NODE-7606)',
  neighbour: 'string-tag',
  differs: [
    'An object without the symbol `bsonType` that claims a known `_bsontype` and the version of bson is written as a value of that type; bson rejects it.',
    REFUSES_OVERFLOW,
  ],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

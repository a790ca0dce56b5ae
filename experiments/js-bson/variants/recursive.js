import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-recursive.js';
import { writeDocument } from '../traversals/write-recursive.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Each nested document is a recursive call, in the writer and in the reader.',
  source: 'bson 7.2.0; js-bson 2ea8dbb, the baseline of js-bson #886 and #890 (NODE-7606)',
  differs: [
    'A document nested several thousand levels deep exhausts the call stack: RangeError, where bson succeeds.',
    REFUSES_OVERFLOW,
  ],
  usesCallStack: true,
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

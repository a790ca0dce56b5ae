import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-linked-list.js';
import { writeDocument } from '../traversals/write-linked-list.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'One loop over frames linked by `prev`; keys walked by index; destination and array flag of the reader kept up to date instead of derived per field.',
  source: 'js-bson #890 as merged, bson 7.3.1 (NODE-7606)',
  differs: [REFUSES_OVERFLOW],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

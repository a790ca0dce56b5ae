import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-pooled-frames.js';
import { writeDocument } from '../traversals/write-pooled-frames.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Like linked-list, but each frame keeps its inner frame for reuse instead of allocating a new one: does that close the gap in deserializing deep documents?',
  source: 'follow-up suggested in js-bson #890 (NODE-7606)',
  neighbour: 'linked-list',
  differs: [REFUSES_OVERFLOW],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

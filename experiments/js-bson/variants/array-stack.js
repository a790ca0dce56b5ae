import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../ablations/array-stack-read.js';
import { writeDocument } from '../traversals/write-indexed.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'As linked-list, but the frames lie in an array: what does linking them buy, without the other changes that part linked-list from indexed in the reader?',
  source: 'js-bson #890 before its change to a linked list (NODE-7606)',
  neighbour: 'linked-list',
  differs: [REFUSES_OVERFLOW],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

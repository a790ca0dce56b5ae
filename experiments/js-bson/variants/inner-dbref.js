import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../ablations/inner-dbref-read.js';
import { writeDocument } from '../traversals/write-linked-list.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'As linked-list, but the function that makes DBRefs is made anew by every call of deserialize: what did hoisting it buy?',
  source: 'js-bson #886; changed by js-bson #890 (NODE-7606)',
  neighbour: 'linked-list',
  differs: [REFUSES_OVERFLOW],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../ablations/closure-assign-read.js';
import { writeDocument } from '../traversals/write-linked-list.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'As linked-list, but every value is put in place by a closure that looks up frame and target: what do a maintained target and a function of the module buy?',
  source: 'js-bson #886; changed by js-bson #890 (NODE-7606)',
  neighbour: 'linked-list',
  differs: [REFUSES_OVERFLOW],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

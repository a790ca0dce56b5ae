import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../ablations/dead-field-read.js';
import { writeDocument } from '../traversals/write-linked-list.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Like linked-list, but each frame of the reader has one more field, which is never read: what did removing `globalUTFValidation` gain?',
  source: 'js-bson #886; changed by js-bson #890 (NODE-7606)',
  neighbour: 'linked-list',
  differs: [REFUSES_OVERFLOW],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

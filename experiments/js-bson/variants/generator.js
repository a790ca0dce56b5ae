import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-array-stack.js';
import { writeDocument } from '../traversals/write-generator.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'One loop over frames in an array; a generator over Object.entries yields the fields of a frame.',
  source: 'js-bson #886 at 0231603, never published; the regression in NODE-7606',
  differs: [
    'All values of an object are read before the first is written: a getter or toBSON that changes a later sibling has no effect.',
    REFUSES_OVERFLOW,
  ],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

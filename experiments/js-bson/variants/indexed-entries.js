import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-array-stack.js';
import { writeDocument } from '../traversals/write-indexed-entries.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Like indexed, but iterates over Object.entries instead of Object.keys: what do the entries cost without a generator?',
  source: 'none; isolates a part of the root cause named in js-bson #890 (NODE-7606)',
  neighbour: 'indexed',
  differs: [
    'All values of an object are read before the first is written: a getter or toBSON that changes a later sibling has no effect.',
    REFUSES_OVERFLOW,
  ],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

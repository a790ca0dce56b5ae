import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-array-stack.js';
import { writeDocument } from '../traversals/write-generator-keys.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Like generator, but the generator iterates over Object.keys instead of Object.entries: what does the generator cost without the entries?',
  source: 'none; isolates a part of the root cause named in js-bson #890 (NODE-7606)',
  neighbour: 'generator',
  differs: [REFUSES_OVERFLOW],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

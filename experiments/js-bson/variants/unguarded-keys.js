import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-linked-list.js';
import { writeDocument } from '../ablations/unguarded-keys-write.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Like linked-list, but does not check that the key is a string: what does the check cost that js-bson #890 removed and restored?',
  source: 'a commit of js-bson #890, a22387a according to its description (NODE-7606)',
  neighbour: 'linked-list',
  differs: [
    'A Map key that is not a string can fail another check first: with checkKeys, an array that contains `$` is rejected with a BSONError, in bson with a TypeError.',
    REFUSES_OVERFLOW,
  ],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

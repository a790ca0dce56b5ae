import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import { readDocument } from '../traversals/read-linked-list.js';
import { writeDocument } from '../ablations/unguarded-keys-write.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'As linked-list, but the key check does not ask whether the key is a string: what does the guard cost that js-bson #890 dropped and took back?',
  source: 'a commit within js-bson #890, a22387a as its text says (NODE-7606)',
  neighbour: 'linked-list',
  differs: [
    'A Map key that is no string can fail another check first: an array of a `$` is refused under checkKeys with a BSONError, by bson with a TypeError.',
    REFUSES_OVERFLOW,
  ],
};

export const traversal = { writeDocument, readDocument };

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeCodec(traversal);

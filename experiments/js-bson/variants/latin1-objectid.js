import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import * as objectIds from '../object-ids/latin1.js';
import { traversal } from './linked-list.js';

export { traversal };
export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'ObjectIds store a string of 12 characters, one for each byte; hex text is made on demand.',
  source: 'none; an alternative to those in NODE-6246',
  differs: [REFUSES_OVERFLOW],
};

/** File name in `object-ids/`, for composition. */
export const objectIdName = 'latin1';

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } = makeCodec(
  traversal,
  objectIds,
);

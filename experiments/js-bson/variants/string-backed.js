import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import * as objectIds from '../object-ids/string.js';
import { traversal } from './linked-list.js';

export { traversal };
export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'ObjectIds store their 24 hex digits as a flat string; bytes are made when written.',
  source: 'js-bson #703 (NODE-6246), with the strings kept flat',
  differs: [REFUSES_OVERFLOW],
};

/** File name in `object-ids/`, for composition. */
export const objectIdName = 'string';

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } = makeCodec(
  traversal,
  objectIds,
);

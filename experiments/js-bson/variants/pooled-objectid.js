import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import * as objectIds from '../object-ids/pooled.js';
import { traversal } from './linked-list.js';

export { traversal };
export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'ObjectIds store an offset into a buffer shared with up to 999 others; a full pool is released.',
  source: 'js-bson #707 (NODE-6246), closed without merging',
  differs: [REFUSES_OVERFLOW],
  breaks: objectIds.breaks,
};

/** File name in `object-ids/`, for composition. */
export const objectIdName = 'pooled';

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } = makeCodec(
  traversal,
  objectIds,
);

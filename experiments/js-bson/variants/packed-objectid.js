import { makeCodec } from '../codec/make-codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import * as objectIds from '../object-ids/packed.js';
import { traversal } from './linked-list.js';

export { traversal };
export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'ObjectIds store their bytes as four 24-bit integers in the object itself.',
  source: 'js-bson #893 as merged, bson 7.3.4 (NODE-6246)',
  differs: [REFUSES_OVERFLOW],
};

/** File name in `object-ids/`, for composition. */
export const objectIdName = 'packed';

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } = makeCodec(
  traversal,
  objectIds,
);

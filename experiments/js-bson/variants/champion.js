import { makeChampion } from '../champion/codec.js';
import { REFUSES_OVERFLOW } from '../codec/serializer.js';
import * as objectIds from '../object-ids/packed.js';

export * from '../codec/values.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Reads and writes documents along the shapes of earlier ones.',
  source: 'found with Assay; see CHAMPION.md',
  neighbour: 'packed-objectid',
  differs: [REFUSES_OVERFLOW],
};

export const { serialize, serializeWithBufferAndIndex, deserialize, ObjectId, EJSON } =
  makeChampion(objectIds);

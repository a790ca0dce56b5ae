import { REFUSES_OVERFLOW } from '../codec/serializer.js';

export * from '../codec/values.js';
export {
  EJSON,
  ObjectId,
  deserialize,
  serialize,
  serializeWithBufferAndIndex,
} from '../champion/bson.js';

/** @type {import('../../../harness/formats/types.ts').VariantDescription} */
export const variant = {
  idea: 'Reads and writes documents along the shapes of earlier ones.',
  source: 'found with Assay; see CHAMPION.md',
  neighbour: 'packed-objectid',
  differs: [REFUSES_OVERFLOW],
};

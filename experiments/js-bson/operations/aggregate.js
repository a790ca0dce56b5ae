import { makeDriverOperation } from '../driver/operation.js';

const PIPELINE = [{ $match: {} }, { $sort: { _id: 1 } }, { $limit: 50 }];

/** A page of a collection, in order. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: aggregate the first 50 documents by _id',
  call: ({ collection }) => collection.aggregate(PIPELINE).toArray(),
  observe: ({ collection }) => collection.aggregate(PIPELINE).toArray(),
});

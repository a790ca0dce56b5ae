import { INSERTING, makeDriverOperation } from '../driver/operation.js';

/** The drivers' benchmarks "Small doc insertOne" and "Large doc insertOne" (NODE-7606), by corpus. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: insert one document',
  ...INSERTING,
  call({ collection, documents, calls }) {
    return collection.insertOne({ ...documents[calls % documents.length], _id: calls });
  },
});

import { INSERTING, makeDriverOperation } from '../driver/operation.js';

/** The drivers' benchmarks "Small doc bulk insert" and "Large doc bulk insert" (NODE-7606), by corpus. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: insert all documents at once',
  ...INSERTING,
  call({ collection, documents, calls }) {
    const start = calls * documents.length;
    for (let index = 0; index < documents.length; index++) documents[index]._id = start + index;
    return collection.insertMany(documents);
  },
});

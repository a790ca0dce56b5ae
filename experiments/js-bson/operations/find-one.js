import { makeDriverOperation } from '../driver/operation.js';

/** The drivers' benchmark "Find one by ID" (NODE-7606), with one document after the other. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: find one document by its _id',
  call({ collection, documents, calls }) {
    return collection.findOne({ _id: documents[calls % documents.length]._id });
  },
  observe: ({ collection, documents }) =>
    Promise.all(documents.map(({ _id }) => collection.findOne({ _id }))),
});

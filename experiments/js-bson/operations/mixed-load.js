import { makeDriverOperation } from '../driver/operation.js';

const READS = 9;

/** An application that mostly reads: ten requests at a time, over a pool of connections. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: nine find-one and one insert-one at the same time',
  call({ collection, db, documents, calls }) {
    const requests = Array.from({ length: READS }, (_, index) => {
      const { _id } = documents[(calls * READS + index) % documents.length];
      return collection.findOne({ _id });
    });
    const inserted = { ...documents[calls % documents.length], _id: calls };
    requests.push(db.collection('inserted').insertOne(inserted));
    return Promise.all(requests);
  },
  reset: ({ db }) => db.collection('inserted').drop(),
});

import { INSERTING, makeDriverOperation } from '../driver/operation.js';

/** The drivers' benchmark "Collection bulkWrite", with inserts only (NODE-7606). */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: write all documents by bulkWrite',
  ...INSERTING,
  async call({ collection, documents, calls }) {
    const start = calls * documents.length;
    const { insertedCount } = await collection.bulkWrite(
      documents.map((document, index) => {
        document._id = start + index;
        return { insertOne: { document } };
      }),
    );
    return insertedCount;
  },
});

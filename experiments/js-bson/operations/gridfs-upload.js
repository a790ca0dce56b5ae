import { makeDriverOperation } from '../driver/operation.js';
import { download, makeFile, upload } from '../driver/tour.js';

/** The drivers' benchmark "GridFS upload" (NODE-7606), with a file of the documents of the corpus. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: upload a file to GridFS',
  call: ({ driver, db, documents, calls }) =>
    upload(new driver.GridFSBucket(db), calls + 1, makeFile(driver, documents)),
  reset: async ({ db }) => {
    await db.collection('fs.files').drop();
    await db.collection('fs.chunks').drop();
  },
  async observe({ driver, db, documents }) {
    const bucket = new driver.GridFSBucket(db);
    await upload(bucket, 1, makeFile(driver, documents));
    return [await download(bucket, 1)];
  },
});

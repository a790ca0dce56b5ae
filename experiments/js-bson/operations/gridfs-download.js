import { makeDriverOperation } from '../driver/operation.js';
import { download, makeFile, upload } from '../driver/tour.js';

/** The drivers' benchmark "GridFS download" (NODE-7606), with a file of the documents of the corpus. */
export const operation = makeDriverOperation({
  summary: 'MongoDB driver: download a file from GridFS',
  start: ({ driver, db, documents }) =>
    upload(new driver.GridFSBucket(db), 1, makeFile(driver, documents)),
  call: ({ driver, db }) => download(new driver.GridFSBucket(db), 1),
});

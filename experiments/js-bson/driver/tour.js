/**
 * What is recorded: each command of the operations, with few documents.
 * @param {any} driver exports of the package `mongodb`
 * @param {any} client connected
 */
export async function tour(driver, client) {
  const db = client.db('assay');
  await db.command({ ping: 1 });
  await db.command({ hello: 1 });
  await db.command({ buildInfo: 1 });
  const collection = db.collection('tour');
  await collection.insertOne({ _id: 0, text: 'one' });
  const documents = Array.from({ length: 7 }, (_, index) => ({
    _id: index + 1,
    text: `more ${index}`,
  }));
  await collection.insertMany(documents);
  await collection.bulkWrite([{ insertOne: { document: { _id: 8, text: 'bulk' } } }]);
  await collection.find({}, { batchSize: 3 }).toArray();
  await collection.find().sort({ _id: -1 }).limit(2).toArray();
  await collection.findOne({ _id: 4 });
  await collection.findOne({ _id: 'not there' });
  await collection.aggregate([{ $match: {} }, { $sort: { _id: 1 } }, { $limit: 5 }]).toArray();
  const bucket = new driver.GridFSBucket(db, { chunkSizeBytes: 1024 });
  const id = new driver.ObjectId('5f5e100f5f5e100f5f5e100f');
  await upload(bucket, id, Buffer.alloc(2_500, 'abc'));
  await download(bucket, id);
  await collection.drop();
}

/** @type {(bucket: any, id: any, bytes: Buffer) => Promise<void>} */
export async function upload(bucket, id, bytes) {
  await new Promise((resolve, reject) => {
    const stream = bucket.openUploadStreamWithId(id, 'file');
    stream.on('finish', resolve).on('error', reject).end(bytes);
  });
}

/** @type {(bucket: any, id: any) => Promise<Buffer>} */
export async function download(bucket, id) {
  return Buffer.concat(await bucket.openDownloadStream(id).toArray());
}

const FILE_BYTES = 1_000_000;

/** @type {Buffer | null} */
let file = null;

/** @type {(driver: any, documents: any[]) => Buffer} a file of 1 MB that consists of documents, made once */
export function makeFile(driver, documents) {
  file ??= Buffer.alloc(
    FILE_BYTES,
    Buffer.concat(documents.map((document) => driver.BSON.serialize(document))),
  );
  return file;
}

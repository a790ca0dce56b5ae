// @ts-nocheck: the packages are those of the project that it is copied to
/** Prints what a program sees of bson through the driver. Argument: address of a server. */
const { Buffer } = require('node:buffer');
const console = require('node:console');
const process = require('node:process');
const { BSON, DBRef, Long, MongoClient, ObjectId, Timestamp } = require('mongodb');
const bson = require('bson');

const DOCUMENTS = [
  {
    _id: new ObjectId('65a1b2c3d4e5f60718293a4b'),
    text: 'gr\u00fc\u00df \ud83d\ude00',
    numbers: [1, -0.5, Long.fromString('9007199254740993'), 2 ** 31],
    at: new Date(1.7e12),
    stamp: new Timestamp({ t: 5, i: 6 }),
    link: new DBRef('others', new ObjectId('0123456789abcdef01234567')),
    bytes: Buffer.from([1, 2, 3]),
    code: new bson.Code('f', { x: 1 }),
    nested: { empty: {}, none: null, missing: undefined, deeper: [{ a: [[]] }] },
  },
  new Map([['_id', 'map']]),
];

main(process.argv[2]);

async function main(uri) {
  const client = new MongoClient(uri, { serverApi: '1' });
  try {
    const collection = client.db('test').collection('things');
    const { insertedCount } = await collection.insertMany(DOCUMENTS);
    const { insertedId } = await collection.insertOne({ generated: true });
    const found = await collection.find({ _id: { $ne: insertedId } }).toArray();
    const raw = await collection.find({}, { raw: true }).toArray();
    const generated = found.pop();
    console.log(
      JSON.stringify({
        sharesBson: Object.keys(bson.BSON).filter((name) => BSON[name] !== bson[name]),
        isChampion: /champion.index\.js$/.test(require.resolve('bson')),
        insertedCount,
        ids: [insertedId, found[0]._id, found[0].link.oid].map((id) => id instanceof bson.ObjectId),
        isInsertedId: insertedId.equals(generated._id),
        found: BSON.EJSON.stringify(found, { relaxed: false }),
        raw: raw.slice(0, DOCUMENTS.length).map((bytes) => Buffer.from(bytes).toString('hex')),
      }),
    );
  } finally {
    await client.close();
  }
}

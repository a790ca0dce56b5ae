/**
 * A server on the loopback interface that answers a MongoDB driver as a recorded mongod did, with the documents that
 * it was sent. It keeps them in memory and knows the commands of the operations. Prints its port, and ends with its
 * standard input, so that it cannot outlive the process that started it.
 *
 * Usage: node replay-server.js [FAULT]
 */
import { Double, Long, deserialize, serialize } from 'bson';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { CHECKSUM_BYTES, CHECKSUM_PRESENT, makeFramer, makeReply, readRequest } from './wire.js';

/** @import { AddressInfo, Socket } from 'node:net' */
/** @import { Request } from './wire.js' */

/** Documents in the first batch of a cursor, unless the command says how many. */
const FIRST_BATCH_DOCUMENTS = 101;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
const OK = new Double(1);

/**
 * @typedef {object} Cursor
 * @property {string} namespace
 * @property {Buffer[]} documents that are left
 */

/** Documents by namespace. @type {Map<string, Buffer[]>} */
const collections = new Map();
/** By id. @type {Map<bigint, Cursor>} */
const cursors = new Map();
let cursorCount = 0n;

/** What mongod answered, by command. @type {Record<string, Buffer>} */
const recorded = Object.create(null);
for (const { command, reply } of readRecordings()) {
  recorded[command] ??= Buffer.from(reply, 'base64');
}

function readRecordings() {
  return JSON.parse(readFileSync(new URL('recordings.json', import.meta.url), 'utf8'));
}

/** @type {Record<string, (command: any, request: Request) => Uint8Array[]>} */
const COMMANDS = {
  insert: insertDocuments,
  find: openCursor,
  aggregate: openCursor,
  getMore: continueCursor,
  drop({ drop, $db }) {
    const namespace = `${$db}.${drop}`;
    if (!collections.delete(namespace)) return [refuse('ns not found', 26, 'NamespaceNotFound')];
    return [serialize({ nIndexesWas: 1, ns: namespace, ok: OK })];
  },
  dropDatabase({ $db }) {
    for (const namespace of collections.keys()) {
      if (namespace.startsWith(`${$db}.`)) collections.delete(namespace);
    }
    return [serialize({ dropped: $db, ok: OK })];
  },
};

/** @type {(name: string, command: any, request: Request) => Uint8Array[]} parts of the document to answer with */
function answer(name, command, request) {
  if (!Object.hasOwn(COMMANDS, name)) {
    return [recorded[name] ?? refuse(`the replay server does not know the command ${name}`)];
  }
  try {
    return COMMANDS[name](command, request);
  } catch (error) {
    return [refuse(String(error))];
  }
}

/** @type {(errmsg: string, code?: number, codeName?: string) => Uint8Array} */
function refuse(errmsg, code = 59, codeName = 'CommandNotFound') {
  return serialize({ ok: new Double(0), errmsg, code, codeName });
}

/** @type {(command: any, request: Request) => Uint8Array[]} */
function insertDocuments({ insert, documents = [], $db }, { sequences }) {
  const sent = sequences.documents ?? documents.map((/** @type {any} */ one) => serialize(one));
  const namespace = `${$db}.${insert}`;
  const kept = collections.get(namespace) ?? [];
  collections.set(namespace, kept);
  // A message may be a view of several.
  for (const one of sent) kept.push(Buffer.from(one));
  return [serialize({ n: sent.length, ok: OK })];
}

/** @type {(command: any) => Uint8Array[]} */
function openCursor({ find, aggregate, $db, batchSize, cursor, limit, singleBatch, ...rest }) {
  const namespace = `${$db}.${find ?? aggregate}`;
  const stages = aggregate === undefined ? stagesOfFind(rest, limit) : rest.pipeline;
  let documents = collections.get(namespace) ?? [];
  for (const stage of stages) {
    const [name] = Object.keys(stage);
    if (!Object.hasOwn(STAGES, name)) throw new Error(`the replay server does not know ${name}`);
    documents = STAGES[name](documents, stage[name]);
  }
  const size = Number(batchSize ?? cursor?.batchSize ?? FIRST_BATCH_DOCUMENTS);
  const first = takeBatch(documents, size);
  // After a full batch, mongod does not yet know whether anything is left.
  const isWhole =
    singleBatch === true || (first.length === documents.length && first.length < size);
  if (!isWhole) cursors.set(++cursorCount, { namespace, documents: documents.slice(first.length) });
  return formatBatch('firstBatch', first, isWhole ? 0n : cursorCount, namespace);
}

/** @type {(command: any, limit: unknown) => Record<string, any>[]} */
function stagesOfFind({ filter = {}, sort, skip }, limit) {
  const stages = [{ $match: filter }];
  if (sort !== undefined) stages.push(/** @type {any} */ ({ $sort: sort }));
  if (skip) stages.push(/** @type {any} */ ({ $skip: skip }));
  if (limit) stages.push(/** @type {any} */ ({ $limit: limit }));
  return stages;
}

/** @type {Record<string, (documents: Buffer[], wanted: any) => Buffer[]>} */
const STAGES = {
  $match(documents, filter) {
    const conditions = Object.entries(filter).map(([key, value]) => ({
      key,
      bytes: encode(value),
    }));
    if (conditions.length === 0) return documents;
    return documents.filter((one) => {
      const document = deserialize(one, { promoteValues: false });
      return conditions.every(({ key, bytes }) => bytes.equals(encode(document[key])));
    });
  },
  $sort(documents, keys) {
    const [[key, direction]] = Object.entries(keys);
    const sorted = documents.map((bytes) => ({ bytes, by: deserialize(bytes)[key] }));
    sorted.sort((a, b) => Number(direction) * compare(a.by, b.by));
    return sorted.map(({ bytes }) => bytes);
  },
  $skip: (documents, count) => documents.slice(Number(count)),
  $limit: (documents, count) => documents.slice(0, Math.abs(Number(count))),
};

/** @type {(value: any) => Buffer} */
function encode(value) {
  const [operator] = Object.keys(Object(value));
  if (operator === '$eq') return encode(value.$eq);
  if (operator?.startsWith('$')) throw new Error(`the replay server does not know ${operator}`);
  return Buffer.from(serialize({ value }));
}

/** @type {(a: any, b: any) => number} of values of one type */
function compare(a, b) {
  const [left, right] = [a, b].map((one) => (one?._bsontype === 'ObjectId' ? String(one) : one));
  return left < right ? -1 : Number(left > right);
}

/** @type {(command: any) => Uint8Array[]} */
function continueCursor({ getMore: id, batchSize }) {
  const cursor = cursors.get(BigInt(id));
  if (cursor === undefined) {
    return [refuse(`cursor id ${id} not found`, 43, 'CursorNotFound')];
  }
  const size = Number(batchSize ?? Infinity);
  const batch = takeBatch(cursor.documents, size);
  cursor.documents = cursor.documents.slice(batch.length);
  if (cursor.documents.length === 0 && batch.length < size) cursors.delete(BigInt(id));
  return formatBatch(
    'nextBatch',
    batch,
    cursors.has(BigInt(id)) ? BigInt(id) : 0n,
    cursor.namespace,
  );
}

/** @type {(documents: Buffer[], most: number) => Buffer[]} as many as fit */
function takeBatch(documents, most) {
  let bytes = 0;
  let count = 0;
  while (count < documents.length && count < most) {
    bytes += documents[count].length;
    if (bytes > MAX_BATCH_BYTES && count > 0) break;
    count++;
  }
  return documents.slice(0, count);
}

/** @type {(name: string, batch: Buffer[], id: bigint, ns: string) => Uint8Array[]} a reply, in parts */
function formatBatch(name, batch, id, ns) {
  const elements = batch.flatMap((bytes, index) => [Buffer.from(`\x03${index}\0`), bytes]);
  const size = elements.reduce((sum, { length }) => sum + length, 0);
  const frame = serialize({ cursor: { [name]: [], id: Long.fromBigInt(id), ns }, ok: OK });
  // The array is the first element of the first element.
  const cursorAt = 4 + 1 + 'cursor'.length + 1;
  const arrayAt = cursorAt + 4 + 1 + name.length + 1;
  for (const at of [0, cursorAt, arrayAt]) {
    new DataView(frame.buffer, frame.byteOffset).setInt32(at, sizeAt(frame, at) + size, true);
  }
  return [frame.subarray(0, arrayAt + 4), ...elements, frame.subarray(arrayAt + 4)];
}

/** @type {(bytes: Uint8Array, at: number) => number} */
function sizeAt(bytes, at) {
  return new DataView(bytes.buffer, bytes.byteOffset).getInt32(at, true);
}

/**
 * How tests make the server fail: what it does instead of answering a `find`.
 * @type {Record<string, (socket: Socket, message: Buffer) => void>}
 */
const FAULTS = {
  reset: (socket) => socket.resetAndDestroy(),
  exit: () => process.exit(1),
  silent() {},
  slow(socket, message) {
    setTimeout(() => socket.write(message), 200);
  },
  /** The message is as long as it says, but its document ends early. */
  truncated(socket, message) {
    message.fill(0xff, message.length - 24);
    socket.write(message);
  },
  /** One letter is another one, and the checksum is wrong. */
  checksum(socket, message) {
    message[message.indexOf('\x02text\0') + 10] ^= 1;
    message.writeInt32LE(message.length + CHECKSUM_BYTES, 0);
    message.writeUInt32LE(CHECKSUM_PRESENT, 16);
    socket.write(Buffer.concat([message, Buffer.alloc(CHECKSUM_BYTES, 0xff)]));
  },
};

const fault = FAULTS[process.argv[2]];

const server = createServer((socket) => {
  socket.setNoDelay(true);
  const addChunk = makeFramer(function reply(message) {
    const request = readRequest(message);
    const command = deserialize(request.body, { useBigInt64: true });
    const [name] = Object.keys(command);
    const reply = Buffer.concat(makeReply(request, answer(name, command, request)));
    if (!request.wantsReply) return;
    if (name === 'find' && fault !== undefined) fault(socket, reply);
    else socket.write(reply);
  });
  socket.on('data', addChunk);
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {AddressInfo} */ (server.address());
  process.stdout.write(`${port}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();

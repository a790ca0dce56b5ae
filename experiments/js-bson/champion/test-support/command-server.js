import { once } from 'node:events';
import { createServer } from 'node:net';
import { Long, deserialize, serialize } from 'bson';

/** @import { Socket } from 'node:net' */

const OP_MSG = 2013;
const HEADER_BYTES = 16;
const FLAGS_BYTES = 4;
/** Kinds of the sections of a message. */
const BODY = 0;

/**
 * A server that keeps the documents inserted into it in memory and finds all of them, whatever the filter. It
 * reads and writes them with the package bson.
 * @returns {Promise<{ uri: string, stop: () => void }>} address for a client, which must ask for the stable API
 *   so that it greets with the current message format
 */
export async function startCommandServer() {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  /** @type {object[]} */
  const documents = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= HEADER_BYTES && received.length >= received.readInt32LE(0)) {
        const size = received.readInt32LE(0);
        socket.write(respond(received.subarray(0, size), documents));
        received = received.subarray(size);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** @type {(message: Buffer, documents: object[]) => Buffer} */
function respond(message, documents) {
  const body = serialize({ ...answer(readCommand(message), documents), ok: 1 });
  const head = Buffer.alloc(HEADER_BYTES + FLAGS_BYTES + 1);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}

/** @type {(message: Buffer) => Record<string, any>} */
function readCommand(message) {
  /** @type {Record<string, any>} */
  const command = {};
  let at = HEADER_BYTES + FLAGS_BYTES;
  while (at < message.length) {
    const kind = message[at++];
    const end = at + message.readInt32LE(at);
    if (kind === BODY) Object.assign(command, read(message.subarray(at, end)));
    else {
      const nameEnd = message.indexOf(0, at + 4);
      const name = message.toString('utf8', at + 4, nameEnd);
      command[name] = [];
      for (let from = nameEnd + 1; from < end; from += message.readInt32LE(from)) {
        command[name].push(read(message.subarray(from, from + message.readInt32LE(from))));
      }
    }
    at = end;
  }
  return command;
}

/** @type {(bytes: Buffer) => object} in which numbers keep their types */
function read(bytes) {
  return deserialize(bytes, { promoteValues: false });
}

/** @type {(command: Record<string, any>, documents: object[]) => object} */
function answer(command, documents) {
  if ('hello' in command) return { isWritablePrimary: true, minWireVersion: 0, maxWireVersion: 25 };
  if ('insert' in command) {
    documents.push(...command.documents);
    return { n: command.documents.length };
  }
  if ('find' in command) {
    return { cursor: { id: Long.ZERO, ns: `test.${command.find}`, firstBatch: documents } };
  }
  return {};
}

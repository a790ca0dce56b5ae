import { deserialize } from 'bson';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { startServer } from './client.js';
import { makeFramer, readReply, readRequest } from './wire.js';

/** @import { Socket } from 'node:net' */

/** @type {{ command: string, request: string, reply: string }[]} */
const recordings = JSON.parse(readFileSync(new URL('recordings.json', import.meta.url), 'utf8'));

/** @type {Socket[]} */
const sockets = [];
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

/** @type {(fault?: string) => Promise<Socket>} */
async function open(fault) {
  const { uri } = await startServer('replay-server', fault === undefined ? [] : [fault]);
  const socket = createConnection(Number(new URL(uri).port), '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** @type {(socket: Socket, request: Buffer) => Promise<Buffer>} */
function ask(socket, request) {
  return new Promise((resolve, reject) => {
    socket.removeAllListeners();
    socket.on('data', makeFramer(resolve));
    socket.on('close', () => reject(new Error('closed')));
    socket.on('error', reject);
    socket.write(request);
  });
}

/** Only whether a cursor is left matters, not its number; a refusal names the first collection that it was for. @type {(bson: Buffer) => any} */
function describeReply(bson) {
  const document = deserialize(bson);
  if (document.cursor !== undefined) document.cursor.id = Number(document.cursor.id) !== 0;
  delete document.errmsg;
  return document;
}

test('answers each recorded request of a driver as mongod did', async () => {
  const socket = await open();
  let cursor = Buffer.alloc(8);
  for (const { command, request, reply } of recordings) {
    const bytes = Buffer.from(request, 'base64');
    const { body } = readRequest(bytes);
    // `getMore` is the first element of the command; its value is the number of the cursor.
    if (command === 'getMore') cursor.copy(body, 4 + 1 + 'getMore'.length + 1);
    const found = readReply(await ask(socket, bytes));
    const expected = Buffer.from(reply, 'base64');
    if (command === 'find') {
      const at = found.indexOf('\x12id\0');
      cursor = Buffer.from(found.subarray(at + 4, at + 12));
    }
    // Descriptions of the server differ from reply to reply, in times and numbers of connections.
    if (['ismaster', 'hello'].includes(command)) {
      expect(Object.keys(deserialize(found))).toEqual(Object.keys(deserialize(expected)));
    } else expect([command, describeReply(found)]).toEqual([command, describeReply(expected)]);
  }
});

test('refuses what it has no recording of', async () => {
  const { request } = recordings.filter(({ command }) => command === 'buildInfo')[0];
  const bytes = Buffer.from(request, 'base64');
  bytes.write('unknownOf', bytes.indexOf('buildInfo'));
  const reply = deserialize(readReply(await ask(await open(), bytes)));
  expect(reply).toMatchObject({ ok: 0, code: 59 });
  expect(reply.errmsg).toContain('does not know the command unknownOf');
});

test.each(['reset', 'exit'])('a server that fails by %s ends the connection', async (fault) => {
  const { request } = recordings.filter(({ command }) => command === 'find')[0];
  const socket = await open(fault);
  await expect(ask(socket, Buffer.from(request, 'base64'))).rejects.toThrow(/closed|ECONNRESET/);
});

test('a message of an impossible size is refused', () => {
  const addChunk = makeFramer(() => {});
  expect(() => addChunk(Buffer.alloc(16))).toThrow('a message of 0 bytes');
});

test('messages are found in whatever pieces they arrive', () => {
  const bytes = Buffer.concat(recordings.map(({ request }) => Buffer.from(request, 'base64')));
  for (const size of [1, 7, 100, bytes.length]) {
    /** @type {Buffer[]} */
    const messages = [];
    const addChunk = makeFramer((message) => messages.push(Buffer.from(message)));
    for (let at = 0; at < bytes.length; at += size) addChunk(bytes.subarray(at, at + size));
    expect(messages.length).toBe(recordings.length);
    expect(Buffer.concat(messages)).toEqual(bytes);
  }
});

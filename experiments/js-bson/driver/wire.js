/**
 * MongoDB's wire protocol, as far as a driver and a server need it to exchange commands: OP_MSG, and OP_QUERY with
 * OP_REPLY for the first hello. Source: MongoDB specification "OP_MSG" and manual "MongoDB Wire Protocol".
 */

const HEADER_BYTES = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
export const CHECKSUM_PRESENT = 1;
export const CHECKSUM_BYTES = 4;
const MORE_TO_COME = 2;
const MAX_MESSAGE_BYTES = 48_000_000;

/**
 * A request.
 * @typedef {object} Request
 * @property {number} id
 * @property {number} opCode
 * @property {Buffer} body BSON of the command
 * @property {Record<string, Buffer[]>} sequences BSON documents that belong to the command, by field
 * @property {boolean} wantsReply
 */

/**
 * Splits a stream into messages.
 * @param {(message: Buffer) => void} onMessage receives each whole message
 * @returns {(chunk: Buffer) => void}
 * @throws {Error} from the result, when the stream is not one of messages
 */
export function makeFramer(onMessage) {
  /** @type {Buffer[]} */
  let chunks = [];
  let received = 0;
  let wanted = 4;
  return function addChunk(chunk) {
    chunks.push(chunk);
    received += chunk.length;
    while (received >= wanted) {
      const joined = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      const size = joined.readInt32LE(0);
      if (size < HEADER_BYTES || size > MAX_MESSAGE_BYTES)
        throw new Error(`a message of ${size} bytes`);
      chunks = [joined];
      wanted = size;
      if (received < size) return;
      onMessage(joined.subarray(0, size));
      received -= size;
      chunks = received === 0 ? [] : [joined.subarray(size)];
      wanted = 4;
    }
  };
}

/** @type {(message: Buffer) => Request} @throws {Error} for other operations */
export function readRequest(message) {
  const id = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === OP_QUERY) {
    const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
    return { id, opCode, body: documentAt(message, nameEnd + 9), sequences: {}, wantsReply: true };
  }
  if (opCode !== OP_MSG) throw new Error(`operation ${opCode} is not supported`);
  const flags = message.readUInt32LE(HEADER_BYTES);
  const end = message.length - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : CHECKSUM_BYTES);
  /** @type {Request} */
  const request = {
    id,
    opCode,
    body: message,
    sequences: {},
    wantsReply: (flags & MORE_TO_COME) === 0,
  };
  for (let at = HEADER_BYTES + 4; at < end;) {
    const kind = message[at++];
    if (kind === 0) {
      request.body = documentAt(message, at);
      at += request.body.length;
      continue;
    }
    const sectionEnd = at + message.readInt32LE(at);
    const nameEnd = message.indexOf(0, at + 4);
    const name = message.toString('utf8', at + 4, nameEnd);
    const documents = [];
    for (at = nameEnd + 1; at < sectionEnd; at += documents[documents.length - 1].length) {
      documents.push(documentAt(message, at));
    }
    request.sequences[name] = documents;
  }
  return request;
}

/** @type {(bytes: Buffer, at: number) => Buffer} */
function documentAt(bytes, at) {
  return bytes.subarray(at, at + bytes.readInt32LE(at));
}

/**
 * @param {Pick<Request, 'id' | 'opCode'>} request
 * @param {Uint8Array[]} parts of the BSON document to answer with
 * @returns {Uint8Array[]} parts of the message
 */
export function makeReply({ id, opCode }, parts) {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(opCode === OP_QUERY ? HEADER_BYTES + 20 : HEADER_BYTES + 5);
  head.writeInt32LE(head.length + size, 0);
  head.writeInt32LE(id, 8);
  head.writeInt32LE(opCode === OP_QUERY ? OP_REPLY : OP_MSG, 12);
  // OP_REPLY: one document, no cursor. OP_MSG: no flags, a section of kind 0.
  if (opCode === OP_QUERY) head.writeInt32LE(1, HEADER_BYTES + 16);
  return [head, ...parts];
}

/** @type {(message: Buffer) => Buffer} the BSON document in a reply */
export function readReply(message) {
  const isOld = message.readInt32LE(12) === OP_REPLY;
  return documentAt(message, HEADER_BYTES + (isOld ? 20 : 5));
}

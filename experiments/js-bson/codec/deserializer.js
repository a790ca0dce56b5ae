import { openReader } from './reader.js';
import { BSONError } from './values.js';

/**
 * A traversal: reads the document at the position of the reader.
 * @typedef {(reader: import('./reader.js').Reader) => any} ReadDocument
 */

/**
 * Creates the public function that reads BSON from a traversal.
 * @param {ReadDocument} readDocument
 * @param {import('./reader.js').Reader['readObjectId']} readObjectId
 */
export function makeDeserializer(readDocument, readObjectId) {
  /**
   * Reads a document from its BSON.
   * @param {Uint8Array | ArrayBuffer} bytes binary values of the result share this memory
   * @param {import('bson').DeserializeOptions & { raw?: boolean }} [options] those of bson
   * @returns {Record<string, any>}
   * @throws {BSONError} if bytes or options are invalid
   */
  function deserialize(bytes, options = {}) {
    return readDocument(openReader(viewAsBuffer(bytes), options, readObjectId));
  }

  return { deserialize };
}

/** @type {(bytes: unknown) => Buffer} the same memory */
export function viewAsBuffer(bytes) {
  if (Buffer.isBuffer(bytes)) return bytes;
  if (ArrayBuffer.isView(bytes)) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  const tag = Object.prototype.toString.call(bytes);
  if (tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]') {
    return Buffer.from(/** @type {ArrayBuffer} */ (bytes));
  }
  throw new BSONError(`BSON comes as a Buffer, typed array or ArrayBuffer, found ${tag}`);
}

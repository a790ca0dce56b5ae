import { writeHeader } from './write-text.js';
import { OBJECT_ID } from './element-types.js';

/** @import { Reader } from './reader.js' */

/** Bytes of an ObjectId. */
const OBJECT_ID_BYTES = 12;

/** Reads an ObjectId as an instance of the variant's class. @type {(reader: Reader) => any} */
export function takeObjectId(reader) {
  const value = reader.readObjectId(reader.bytes, reader.index);
  reader.index += OBJECT_ID_BYTES;
  return value;
}

/**
 * Writes an ObjectId element.
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {any} value an ObjectId, which writes its own bytes
 * @returns {number} offset after the element
 */
export function writeObjectId(bytes, offset, key, value) {
  const start = writeHeader(bytes, offset, OBJECT_ID, key);
  return start + value.serializeInto(bytes, start);
}

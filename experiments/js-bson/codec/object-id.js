import { writeHeader } from './write-text.js';
import { OBJECT_ID } from './element-types.js';
import { ObjectId } from './values.js';

/** Bytes of an ObjectId. */
export const OBJECT_ID_BYTES = 12;

/**
 * Reads an ObjectId into a value that owns its bytes.
 * @param {Uint8Array} bytes
 * @param {number} offset
 * @returns {ObjectId}
 */
export function readObjectId(bytes, offset) {
  const id = Buffer.allocUnsafe(OBJECT_ID_BYTES);
  for (let at = 0; at < OBJECT_ID_BYTES; at++) id[at] = bytes[offset + at];
  return new ObjectId(id);
}

/**
 * Writes an ObjectId element.
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {any} value an ObjectId; how it keeps its bytes is its own business
 * @returns {number} offset after the element
 */
export function writeObjectId(bytes, offset, key, value) {
  const start = writeHeader(bytes, offset, OBJECT_ID, key);
  return start + value.serializeInto(bytes, start);
}

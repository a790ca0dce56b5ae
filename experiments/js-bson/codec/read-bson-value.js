import { readInt32 } from './numbers.js';
import { takeObjectId } from './object-id.js';
import { readText } from './read-string.js';
import { DBRef, Decimal128, Timestamp } from './values.js';

/** @import { Reader } from './reader.js' */

const DECIMAL128_BYTES = 16;

/** Reads a decimal128 into a value that owns its bytes. @type {(reader: Reader) => Decimal128} */
export function readDecimal128(reader) {
  const content = Buffer.allocUnsafe(DECIMAL128_BYTES);
  for (let at = 0; at < DECIMAL128_BYTES; at++) content[at] = reader.bytes[reader.index + at];
  reader.index += DECIMAL128_BYTES;
  return new Decimal128(content);
}

/**
 * Reads a timestamp: increment, then seconds, both uint32.
 * @type {(reader: Reader) => Timestamp}
 */
export function readTimestamp(reader) {
  const increment = readInt32(reader.bytes, reader.index) >>> 0;
  const seconds = readInt32(reader.bytes, reader.index + 4) >>> 0;
  reader.index += 8;
  return new Timestamp({ i: increment, t: seconds });
}

/**
 * Reads a DBPointer, which becomes a DBRef.
 * @param {Reader} reader
 * @param {boolean} validate whether invalid UTF-8 in the namespace is an error
 * @returns {DBRef}
 * @throws {import('bson').BSONError}
 */
export function readDbPointer(reader, validate) {
  const namespace = readText(reader, validate);
  return new DBRef(namespace, takeObjectId(reader));
}

import { readInt32 } from './numbers.js';
import { readUtf8 } from './read-utf8.js';
import { BSONError } from './values.js';

/** @import { Reader } from './reader.js' */

/**
 * Reads a string value: int32 size with the terminator, UTF-8, terminator.
 * @param {Reader} reader
 * @param {boolean} validate whether invalid UTF-8 is an error
 * @returns {string}
 * @throws {BSONError}
 */
export function readText(reader, validate) {
  const { bytes } = reader;
  const sizeBytes = readInt32(bytes, reader.index);
  const start = reader.index + 4;
  const last = start + sizeBytes - 1;
  if (sizeBytes <= 0 || sizeBytes > bytes.length - start || bytes[last] !== 0) {
    throw new BSONError(`the string at byte ${reader.index} has a wrong length: ${sizeBytes}`);
  }
  reader.index = last + 1;
  return readUtf8(bytes, start, last, validate);
}

/**
 * Finds the end of the NUL-terminated text at the reader's position.
 * @type {(reader: Reader) => number} index of the terminator
 * @throws {BSONError} if there is none
 */
export function findTerminator(reader) {
  const { bytes } = reader;
  let end = reader.index;
  while (end < bytes.length && bytes[end] !== 0) end++;
  if (end >= bytes.length) {
    throw new BSONError(`the key or pattern at byte ${reader.index} has no terminator`);
  }
  return end;
}

/**
 * Reads NUL-terminated text. Invalid UTF-8 becomes U+FFFD.
 * @type {(reader: Reader) => string}
 * @throws {BSONError}
 */
export function readTerminatedText(reader) {
  const end = findTerminator(reader);
  const text = readUtf8(reader.bytes, reader.index, end, false);
  reader.index = end + 1;
  return text;
}

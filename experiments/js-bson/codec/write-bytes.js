import { writeInt32 } from './numbers.js';
import { checkVector } from './binary-vector.js';
import { BINARY } from './element-types.js';
import { Binary } from './values.js';
import { writeHeader } from './write-text.js';

/** Up to this size, a loop is faster than a call of `set`. */
const LONGEST_LOOP_BYTES = 16;

/**
 * Writes size, subtype and content of a binary value.
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {Uint8Array} content
 * @param {number} subtype
 * @returns {number} offset after the content
 */
export function writeBytes(bytes, offset, content, subtype) {
  const start = writeInt32(bytes, offset, content.length);
  bytes[start] = subtype;
  return copyContent(bytes, start + 1, content, content.length);
}

/**
 * Writes a Binary element. Subtype 2 has its size twice, a vector (subtype 9) is checked.
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {Binary} value
 * @returns {number} offset after the element
 * @throws {BSONError} if a vector violates its rules
 */
export function writeBinary(bytes, offset, key, value) {
  const { buffer, position: sizeBytes, sub_type: subtype } = value;
  const isOldSubtype = subtype === Binary.SUBTYPE_BYTE_ARRAY;
  let at = writeHeader(bytes, offset, BINARY, key);
  at = writeInt32(bytes, at, isOldSubtype ? sizeBytes + 4 : sizeBytes);
  bytes[at++] = subtype;
  if (isOldSubtype) at = writeInt32(bytes, at, sizeBytes);
  if (subtype === Binary.SUBTYPE_VECTOR) checkVector(value);
  return copyContent(bytes, at, buffer, sizeBytes);
}

/**
 * Writes the content of a binary value.
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {Uint8Array} content may be longer than the bytes to write
 * @param {number} sizeBytes
 * @returns {number} offset after the content
 */
export function copyContent(bytes, offset, content, sizeBytes) {
  if (sizeBytes <= LONGEST_LOOP_BYTES) {
    for (let at = 0; at < sizeBytes; at++) bytes[offset + at] = content[at];
  } else {
    bytes.set(content.length > sizeBytes ? content.subarray(0, sizeBytes) : content, offset);
  }
  return offset + sizeBytes;
}

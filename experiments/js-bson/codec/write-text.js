import { writeInt32 } from './numbers.js';

/** Up to this many code units, a loop in JavaScript is faster than a call into the runtime. */
const LONGEST_DIRECT_WRITE = 25;
const LAST_ASCII = 0x7f;

/**
 * Writes text as UTF-8, without length and terminator.
 * @type {(bytes: Buffer, offset: number, text: string) => number} offset after the text
 * @throws {TypeError} if a key or text is not a string
 * @throws {RangeError} if the offset is beyond the buffer
 */
export function writeUtf8(bytes, offset, text) {
  const { length } = text;
  if (length <= LONGEST_DIRECT_WRITE && length <= bytes.length - offset) {
    let at = 0;
    while (at < length) {
      const code = text.charCodeAt(at);
      if (code > LAST_ASCII) return writeLongUtf8(bytes, offset, text);
      bytes[offset + at] = code;
      at++;
    }
    return offset + length;
  }
  return writeLongUtf8(bytes, offset, text);
}

/**
 * Writes a string value: int32 size with the terminator, UTF-8, terminator.
 * @type {(bytes: Buffer, offset: number, text: string) => number} offset after the terminator
 */
export function writeText(bytes, offset, text) {
  const start = offset + 4;
  const end = writeUtf8(bytes, start, text);
  writeInt32(bytes, offset, end - start + 1);
  bytes[end] = 0;
  return end + 1;
}

/**
 * Writes the type byte and the key with its terminator.
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {number} type see element-types.js
 * @param {string} key
 * @returns {number} offset at which the value begins
 */
export function writeHeader(bytes, offset, type, key) {
  bytes[offset] = type;
  const end = writeUtf8(bytes, offset + 1, key);
  bytes[end] = 0;
  return end + 1;
}

/** @type {(bytes: Buffer, offset: number, text: string) => number} */
function writeLongUtf8(bytes, offset, text) {
  if (typeof text !== 'string') {
    throw new TypeError(
      `BSON needs a string here, found ${typeof text}: give Maps string keys, and code and symbols string content`,
    );
  }
  return offset + bytes.write(text, offset);
}

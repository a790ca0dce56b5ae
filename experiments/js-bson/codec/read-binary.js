import { readInt32 } from './numbers.js';
import { BSONError, Binary, UUID } from './values.js';

/** @import { Reader } from './reader.js' */

const UUID_BYTES = 16;

/**
 * Reads a binary value. Its bytes are a view of the input, not a copy.
 * @param {Reader} reader
 * @returns {Binary | Buffer} a UUID for subtype 4 of 16 bytes; a Buffer under promoteBuffers
 * @throws {BSONError}
 */
export function readBinary(reader) {
  const { bytes } = reader;
  let sizeBytes = readInt32(bytes, reader.index);
  const subtype = bytes[reader.index + 4];
  reader.index += 5;
  if (sizeBytes < 0 || sizeBytes > bytes.length) {
    throw new BSONError(`the binary value before byte ${reader.index} says ${sizeBytes} bytes`);
  }
  if (subtype === Binary.SUBTYPE_BYTE_ARRAY) sizeBytes = readInnerSize(reader, sizeBytes);
  const content = bytes.subarray(reader.index, reader.index + sizeBytes);
  reader.index += sizeBytes;
  if (reader.promoteBuffers && reader.promoteValues) return content;
  const value = new Binary(content, subtype);
  const isUuid = subtype === Binary.SUBTYPE_UUID && content.length === UUID_BYTES;
  return isUuid ? new UUID(content) : value;
}

/**
 * Subtype 2 repeats the size inside the value.
 * @type {(reader: Reader, outerSizeBytes: number) => number} size of the content
 */
function readInnerSize(reader, outerSizeBytes) {
  const sizeBytes = readInt32(reader.bytes, reader.index);
  reader.index += 4;
  if (sizeBytes < 0 || sizeBytes !== outerSizeBytes - 4) {
    throw new BSONError(
      `a binary value of subtype 2 says ${sizeBytes} bytes inside ${outerSizeBytes}; inside must be 4 less`,
    );
  }
  return sizeBytes;
}

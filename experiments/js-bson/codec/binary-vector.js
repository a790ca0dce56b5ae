import { BSONError, Binary } from './values.js';

const { Float32, Int8, PackedBit } = Binary.VECTOR_TYPE;

/** Element type and padding. */
const HEADER_BYTES = 2;
const FLOAT32_BYTES = 4;
const MOST_PADDING_BITS = 7;

/**
 * Rejects a Binary of subtype 9 that violates the rules of its element type. Unknown element types
 * pass. Source: MongoDB specification "BSON Binary Subtype 9 - Vector"; behaviour of bson 7.3.1.
 * @param {Binary} vector
 * @throws {BSONError}
 */
export function checkVector(vector) {
  const [elementType, padding] = vector.buffer;
  const sizeBytes = vector.position;
  if ((elementType === Float32 || elementType === Int8) && padding !== 0) {
    throw new BSONError('a vector of int8 or float32 needs padding 0 in its second byte');
  }
  if (elementType === Float32 && sizeBytes > 0 && (sizeBytes - HEADER_BYTES) % FLOAT32_BYTES) {
    throw new BSONError('a vector of float32 needs a multiple of 4 bytes after its header');
  }
  if (elementType === PackedBit) checkPackedBits(sizeBytes, padding);
}

/** @param {number} sizeBytes @param {number | undefined} padding */
function checkPackedBits(sizeBytes, padding) {
  if (sizeBytes === HEADER_BYTES && padding !== 0) {
    throw new BSONError('an empty vector of packed bits needs padding 0');
  }
  if (padding !== undefined && padding > MOST_PADDING_BITS) {
    throw new BSONError(`a vector of packed bits has a padding of 0 to 7, found ${padding}`);
  }
}

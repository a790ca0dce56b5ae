/**
 * Numbers in little-endian byte order, byte by byte. Nothing here checks bounds: bytes beyond the
 * end read as zero (or NaN) and are not written, and callers detect the overrun by the offset.
 */

const FLOAT = new Float64Array(1);
const INTEGER = new BigInt64Array(FLOAT.buffer);
const OVERLAY = new Uint8Array(FLOAT.buffer);

const HOST_IS_BIG_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0;

/** Reads an int32. @type {(bytes: Uint8Array, offset: number) => number} */
export function readInt32(bytes, offset) {
  const low = bytes[offset] | (bytes[offset + 1] << 8);
  return low | (bytes[offset + 2] << 16) | (bytes[offset + 3] << 24);
}

/** Reads a float64. @type {(bytes: Uint8Array, offset: number) => number} */
export function readFloat64(bytes, offset) {
  fillOverlay(bytes, offset);
  return FLOAT[0];
}

/** Reads an int64 as a bigint. @type {(bytes: Uint8Array, offset: number) => bigint} */
export function readInt64(bytes, offset) {
  fillOverlay(bytes, offset);
  return INTEGER[0];
}

/**
 * Writes the low 32 bits of a number.
 * @type {(bytes: Uint8Array, offset: number, value: number) => number} offset after the number
 */
export function writeInt32(bytes, offset, value) {
  bytes[offset] = value;
  bytes[offset + 1] = value >>> 8;
  bytes[offset + 2] = value >>> 16;
  bytes[offset + 3] = value >>> 24;
  return offset + 4;
}

/**
 * Writes a float64.
 * @type {(bytes: Uint8Array, offset: number, value: number) => number} offset after the number
 */
export function writeFloat64(bytes, offset, value) {
  FLOAT[0] = value;
  return copyOverlay(bytes, offset);
}

/**
 * Writes the low 64 bits of a bigint.
 * @type {(bytes: Uint8Array, offset: number, value: bigint) => number} offset after the number
 */
export function writeInt64(bytes, offset, value) {
  INTEGER[0] = value;
  return copyOverlay(bytes, offset);
}

/** Copies eight bytes into the overlay. @param {Uint8Array} bytes @param {number} offset */
function fillOverlay(bytes, offset) {
  OVERLAY[0] = bytes[offset];
  OVERLAY[1] = bytes[offset + 1];
  OVERLAY[2] = bytes[offset + 2];
  OVERLAY[3] = bytes[offset + 3];
  OVERLAY[4] = bytes[offset + 4];
  OVERLAY[5] = bytes[offset + 5];
  OVERLAY[6] = bytes[offset + 6];
  OVERLAY[7] = bytes[offset + 7];
  if (HOST_IS_BIG_ENDIAN) OVERLAY.reverse();
}

/**
 * Copies the eight bytes of the overlay to the target.
 * @type {(bytes: Uint8Array, offset: number) => number} offset after them
 */
function copyOverlay(bytes, offset) {
  if (HOST_IS_BIG_ENDIAN) OVERLAY.reverse();
  bytes[offset] = OVERLAY[0];
  bytes[offset + 1] = OVERLAY[1];
  bytes[offset + 2] = OVERLAY[2];
  bytes[offset + 3] = OVERLAY[3];
  bytes[offset + 4] = OVERLAY[4];
  bytes[offset + 5] = OVERLAY[5];
  bytes[offset + 6] = OVERLAY[6];
  bytes[offset + 7] = OVERLAY[7];
  return offset + 8;
}

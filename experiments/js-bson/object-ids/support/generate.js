import { ByteUtils } from '../../codec/values.js';

/** Bytes of an ObjectId. */
export const ID_BYTES = 12;

/** @type {Uint8Array | null} */
let processBytes = null;

const timeId = new Uint8Array(ID_BYTES);

/**
 * Five random bytes, the same in all ids of this process. The first call makes them: for that Node loads its
 * cryptography, which takes as long as loading a codec.
 * @returns {Uint8Array}
 */
export function getProcessBytes() {
  processBytes ??= ByteUtils.randomBytes(5);
  return processBytes;
}

/** @returns {number} whole seconds since 1970 */
export function nowSeconds() {
  return Math.floor(Date.now() / 1000);
}

/**
 * Writes a new id: seconds, process, counter, each with its most significant byte first.
 * Source: MongoDB specification "ObjectID generation".
 * @param {Uint8Array} bytes
 * @param {number} offset
 * @param {number} seconds truncated to 32 bits
 * @param {number} count of 24 bits
 */
export function writeNewId(bytes, offset, seconds, count) {
  writeSeconds(bytes, offset, seconds);
  const process = getProcessBytes();
  bytes[offset + 4] = process[0];
  bytes[offset + 5] = process[1];
  bytes[offset + 6] = process[2];
  bytes[offset + 7] = process[3];
  bytes[offset + 8] = process[4];
  bytes[offset + 9] = count >>> 16;
  bytes[offset + 10] = count >>> 8;
  bytes[offset + 11] = count;
}

/**
 * Writes an id that sorts before all others of its second: zeros after the seconds.
 * @param {number} seconds truncated to 32 bits
 * @returns {Uint8Array} the same memory for every call; the constructor copies it
 */
export function writeTimeId(seconds) {
  writeSeconds(timeId, 0, seconds);
  return timeId;
}

/**
 * Creates the date of an id as bson does, from the current date. That reads the clock and doubles
 * the cost, but makes times comparable.
 * @type {(seconds: number) => Date}
 */
export function dateOfSeconds(seconds) {
  const date = new Date();
  date.setTime(seconds * 1000);
  return date;
}

/** @param {Uint8Array} bytes @param {number} offset @param {number} seconds */
function writeSeconds(bytes, offset, seconds) {
  bytes[offset] = seconds >>> 24;
  bytes[offset + 1] = seconds >>> 16;
  bytes[offset + 2] = seconds >>> 8;
  bytes[offset + 3] = seconds >>> 0;
}

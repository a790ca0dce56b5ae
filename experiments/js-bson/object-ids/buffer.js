import { BaseObjectId, equalsByHex } from './support/base-object-id.js';
import { ID_BYTES, dateOfSeconds, writeTimeId } from './support/generate.js';
import { isHexId } from './support/hex.js';
import { recallHex, rememberHex } from './support/hex-cache.js';
import {
  checkBytes,
  readBase64Text,
  readHexText,
  readInput,
  refuseHex,
} from './support/read-input.js';

/**
 * An ObjectId that stores a Buffer of 12 bytes, as in bson up to 7.3.1: the baseline of NODE-6246.
 * It uses the same functions of Buffer (hex, compare, slab) as bson, so that times are comparable.
 * As in bson, `id` is the Buffer itself, and writing to it changes the id. Unlike in bson, input
 * bytes are copied.
 */
export class ObjectId extends BaseObjectId {
  /**
   * Whether ids cache their hex text, when created from it or when it is first read.
   * @type {boolean}
   */
  static cacheHexString = false;

  /**
   * @param {any} [input] null or undefined for a new id, 24 hex digits, 12 bytes, or an object with
   *   `id`
   * @param {number} [offset] start of the id in longer bytes
   * @throws {import('bson').BSONError}
   */
  constructor(input, offset) {
    super();
    if (offset !== undefined) {
      this.buffer = copyBytes(input, offset);
    } else if (input == null) {
      this.buffer = ObjectId.generate();
    } else if (typeof input === 'string') {
      if (!isHexId(input)) throw refuseHex(input);
      this.buffer = Buffer.from(input, 'hex');
      if (ObjectId.cacheHexString) rememberHex(this, input.toLowerCase());
    } else {
      this.buffer = copyBytes(readInput(input), 0);
    }
  }

  get id() {
    return this.buffer;
  }

  set id(bytes) {
    this.buffer = copyBytes(checkBytes(bytes), 0);
    if (ObjectId.cacheHexString) rememberHex(this, this.buffer.toString('hex'));
  }

  /** @override */
  toHexString() {
    if (!ObjectId.cacheHexString) return this.buffer.toString('hex');
    return recallHex(this) ?? rememberHex(this, this.buffer.toString('hex'));
  }

  /**
   * @param {any} other an ObjectId of any class, or hex text in either case
   * @returns {boolean}
   */
  equals(other) {
    if (!(other instanceof ObjectId)) return equalsByHex(this, other);
    // The last byte of the counter is the most likely to differ.
    return this.buffer[11] === other.buffer[11] && this.buffer.equals(other.buffer);
  }

  /** @returns {Date} creation time, to the second */
  getTimestamp() {
    return dateOfSeconds(this.buffer.readUInt32BE(0));
  }

  /** @type {(bytes: Uint8Array, offset: number) => 12} bytes written */
  serializeInto(bytes, offset) {
    const { buffer } = this;
    bytes[offset] = buffer[0];
    bytes[offset + 1] = buffer[1];
    bytes[offset + 2] = buffer[2];
    bytes[offset + 3] = buffer[3];
    bytes[offset + 4] = buffer[4];
    bytes[offset + 5] = buffer[5];
    bytes[offset + 6] = buffer[6];
    bytes[offset + 7] = buffer[7];
    bytes[offset + 8] = buffer[8];
    bytes[offset + 9] = buffer[9];
    bytes[offset + 10] = buffer[10];
    bytes[offset + 11] = buffer[11];
    return ID_BYTES;
  }

  /** @returns {ObjectId} a new id */
  static createPk() {
    return new ObjectId();
  }

  /**
   * @param {number} seconds since 1970
   * @returns {ObjectId} all zeros after the seconds
   */
  static createFromTime(seconds) {
    return new ObjectId(writeTimeId(seconds), 0);
  }

  /**
   * @param {string} text 24 hex digits
   * @returns {ObjectId}
   */
  static createFromHexString(text) {
    return new ObjectId(readHexText(text));
  }

  /**
   * @param {string} text 16 characters
   * @returns {ObjectId}
   */
  static createFromBase64(text) {
    return new ObjectId(readBase64Text(text), 0);
  }

  /** @type {(document: { $oid: string }) => ObjectId} */
  static fromExtendedJSON(document) {
    return new ObjectId(document.$oid);
  }
}

/** @type {(bytes: Uint8Array, offset: number) => Buffer} */
function copyBytes(bytes, offset) {
  const copy = Buffer.allocUnsafe(ID_BYTES);
  for (let at = 0; at < ID_BYTES; at++) copy[at] = bytes[offset + at];
  return copy;
}

/** Reads an ObjectId of a document. @type {(bytes: Uint8Array, offset: number) => ObjectId} */
export function readObjectId(bytes, offset) {
  return new ObjectId(bytes, offset);
}

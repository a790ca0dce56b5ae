import { BaseObjectId, equalsByHex } from './support/base-object-id.js';
import {
  ID_BYTES,
  dateOfSeconds,
  nowSeconds,
  writeNewId,
  writeTimeId,
} from './support/generate.js';
import { hexOfBytes, isHexId, writeHexId } from './support/hex.js';
import { recallHex, rememberHex } from './support/hex-cache.js';
import {
  checkBytes,
  readBase64Text,
  readHexText,
  readInput,
  refuseHex,
} from './support/read-input.js';

/** An id is assembled here before it becomes text. */
const pending = new Uint8Array(ID_BYTES);

/**
 * An ObjectId that stores a string of 12 characters, one per byte: 64 bytes, compared by V8. It is
 * not from bson; it separates the saving of a string from the cost of hex text. `id` returns a
 * copy.
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
      this.text = textOfBytes(input, offset);
    } else if (input == null) {
      writeNewId(pending, 0, nowSeconds(), ObjectId.getInc());
      this.text = textOfBytes(pending, 0);
    } else if (typeof input === 'string') {
      if (!isHexId(input)) throw refuseHex(input);
      writeHexId(input, pending, 0);
      this.text = textOfBytes(pending, 0);
      if (ObjectId.cacheHexString) rememberHex(this, input.toLowerCase());
    } else {
      this.text = textOfBytes(readInput(input), 0);
    }
  }

  /** @override */
  get id() {
    const bytes = Buffer.allocUnsafe(ID_BYTES);
    this.serializeInto(bytes, 0);
    return bytes;
  }

  set id(bytes) {
    this.text = textOfBytes(checkBytes(bytes), 0);
    if (ObjectId.cacheHexString) rememberHex(this, hexOfText(this.text));
  }

  /** @override */
  toHexString() {
    if (!ObjectId.cacheHexString) return hexOfText(this.text);
    return recallHex(this) ?? rememberHex(this, hexOfText(this.text));
  }

  /**
   * @param {any} other an ObjectId of any class, or hex text in either case
   * @returns {boolean}
   */
  equals(other) {
    return other instanceof ObjectId ? this.text === other.text : equalsByHex(this, other);
  }

  /** @returns {Date} creation time, to the second */
  getTimestamp() {
    const { text } = this;
    const low = (text.charCodeAt(1) << 16) | (text.charCodeAt(2) << 8) | text.charCodeAt(3);
    return dateOfSeconds(text.charCodeAt(0) * 0x1000000 + low);
  }

  /** @type {(bytes: Uint8Array, offset: number) => 12} bytes written */
  serializeInto(bytes, offset) {
    const { text } = this;
    bytes[offset] = text.charCodeAt(0);
    bytes[offset + 1] = text.charCodeAt(1);
    bytes[offset + 2] = text.charCodeAt(2);
    bytes[offset + 3] = text.charCodeAt(3);
    bytes[offset + 4] = text.charCodeAt(4);
    bytes[offset + 5] = text.charCodeAt(5);
    bytes[offset + 6] = text.charCodeAt(6);
    bytes[offset + 7] = text.charCodeAt(7);
    bytes[offset + 8] = text.charCodeAt(8);
    bytes[offset + 9] = text.charCodeAt(9);
    bytes[offset + 10] = text.charCodeAt(10);
    bytes[offset + 11] = text.charCodeAt(11);
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

/** @type {(text: string) => string} */
function hexOfText(text) {
  for (let at = 0; at < ID_BYTES; at++) pending[at] = text.charCodeAt(at);
  return hexOfBytes(pending, 0);
}

/**
 * @param {Uint8Array} bytes
 * @param {number} offset
 * @returns {string} flat, like every result of one call of String.fromCharCode
 */
function textOfBytes(bytes, offset) {
  return String.fromCharCode(
    bytes[offset],
    bytes[offset + 1],
    bytes[offset + 2],
    bytes[offset + 3],
    bytes[offset + 4],
    bytes[offset + 5],
    bytes[offset + 6],
    bytes[offset + 7],
    bytes[offset + 8],
    bytes[offset + 9],
    bytes[offset + 10],
    bytes[offset + 11],
  );
}

/** Reads an ObjectId of a document. @type {(bytes: Uint8Array, offset: number) => ObjectId} */
export function readObjectId(bytes, offset) {
  return new ObjectId(bytes, offset);
}

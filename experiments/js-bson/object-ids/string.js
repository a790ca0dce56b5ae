import { BaseObjectId, equalsByHex } from './support/base-object-id.js';
import {
  ID_BYTES,
  dateOfSeconds,
  nowSeconds,
  writeNewId,
  writeTimeId,
} from './support/generate.js';
import { byteAt, copyHexId, hexOfBytes, writeHexId } from './support/hex.js';
import {
  checkBytes,
  readBase64Text,
  readHexText,
  readInput,
  refuseHex,
} from './support/read-input.js';

/** A new id is assembled here before it becomes text. */
const newId = new Uint8Array(ID_BYTES);

/**
 * An ObjectId that stores its hex text: 72 bytes, the object and a flat string of 24 characters,
 * whatever the input. Input text is copied, because it may be a rope, or a slice that keeps a
 * longer string alive; js-bson #703, the source, stored it as is. `id` returns a copy, or with
 * `cacheBuffer` the cached Buffer itself.
 */
export class ObjectId extends BaseObjectId {
  /** Whether ids also store a Buffer in a field, from creation on. @type {boolean} */
  static cacheBuffer = false;

  /**
   * @param {any} [input] null or undefined for a new id, 24 hex digits, 12 bytes, or an object with
   *   `id`
   * @param {number} [offset] start of the id in longer bytes
   * @throws {import('bson').BSONError}
   */
  constructor(input, offset) {
    super();
    if (offset !== undefined) {
      this.hex = hexOfBytes(input, offset);
    } else if (input == null) {
      writeNewId(newId, 0, nowSeconds(), ObjectId.getInc());
      this.hex = hexOfBytes(newId, 0);
    } else if (typeof input === 'string') {
      this.hex = copyChecked(input);
    } else {
      this.hex = hexOfBytes(readInput(input), 0);
    }
    if (ObjectId.cacheBuffer) this.buffer = bytesOfHex(this.hex);
  }

  /** @override */
  get id() {
    return ObjectId.cacheBuffer && this.buffer ? this.buffer : bytesOfHex(this.hex);
  }

  set id(bytes) {
    this.hex = hexOfBytes(checkBytes(bytes), 0);
    if (ObjectId.cacheBuffer) this.buffer = bytesOfHex(this.hex);
  }

  /** @override */
  toHexString() {
    return this.hex;
  }

  /**
   * @param {any} other an ObjectId of any class, or hex text in either case
   * @returns {boolean}
   */
  equals(other) {
    return other instanceof ObjectId ? this.hex === other.hex : equalsByHex(this, other);
  }

  /** @returns {Date} creation time, to the second */
  getTimestamp() {
    const { hex } = this;
    const low = (byteAt(hex, 2) << 16) | (byteAt(hex, 4) << 8) | byteAt(hex, 6);
    return dateOfSeconds(byteAt(hex, 0) * 0x1000000 + low);
  }

  /** @type {(bytes: Uint8Array, offset: number) => 12} bytes written */
  serializeInto(bytes, offset) {
    if (ObjectId.cacheBuffer && this.buffer) {
      copyBytes(this.buffer, bytes, offset);
    } else {
      writeHexId(this.hex, bytes, offset);
    }
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
function copyChecked(text) {
  const hex = copyHexId(text);
  if (hex === null) throw refuseHex(text);
  return hex;
}

/** @type {(hex: string) => Buffer} */
function bytesOfHex(hex) {
  const bytes = Buffer.allocUnsafe(ID_BYTES);
  writeHexId(hex, bytes, 0);
  return bytes;
}

/** @param {Uint8Array} id @param {Uint8Array} bytes @param {number} offset */
function copyBytes(id, bytes, offset) {
  for (let at = 0; at < ID_BYTES; at++) bytes[offset + at] = id[at];
}

/** Reads an ObjectId of a document. @type {(bytes: Uint8Array, offset: number) => ObjectId} */
export function readObjectId(bytes, offset) {
  return new ObjectId(bytes, offset);
}

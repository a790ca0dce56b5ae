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

const OTHER_OFFSET =
  'Equal ids stand at different offsets of their pool, and both are in fields that the comparison sees; this kept js-bson #707 from being merged.';

/** Rows of the behaviour contract that do not hold for these ids, with the reason. */
export const breaks = { 'deep-equality': OTHER_OFFSET, 'lodash-is-equal': OTHER_OFFSET };

const NO_POOL = new Uint8Array(0);

/** The current pool, and the offset of its first free slot. */
let openPool = NO_POOL;
let freeOffset = 0;

/**
 * An ObjectId that stores an offset into a pool of bytes shared with other ids: 40 bytes, and 12 of
 * the pool. A full pool is released and lives as long as any of its ids: a single id keeps all of
 * it alive. Equal ids differ in pool and offset, so deep equality fails, which is why js-bson #707
 * was not merged. `id` returns a copy.
 */
export class ObjectId extends BaseObjectId {
  /**
   * Whether ids cache their hex text, when created from it or when it is first read.
   * @type {boolean}
   */
  static cacheHexString = false;

  /** Ids per pool; read when a pool is created. */
  static poolSize = 1000;

  /**
   * @param {any} [input] null or undefined for a new id, 24 hex digits, 12 bytes, or an object with
   *   `id`
   * @param {number} [offset] start of the id in longer bytes
   * @throws {import('bson').BSONError}
   */
  constructor(input, offset) {
    super();
    this.pool = openPool.length > 0 ? openPool : makePool();
    this.offset = freeOffset;
    if (offset !== undefined) {
      copyBytes(input, offset, this);
    } else if (input == null) {
      writeNewId(this.pool, this.offset, nowSeconds(), ObjectId.getInc());
    } else if (typeof input === 'string') {
      if (!isHexId(input)) throw refuseHex(input);
      writeHexId(input, this.pool, this.offset);
      if (ObjectId.cacheHexString) rememberHex(this, input.toLowerCase());
    } else {
      copyBytes(readInput(input), 0, this);
    }
    takeSlot();
  }

  /** @override */
  get id() {
    return Buffer.from(this.pool.subarray(this.offset, this.offset + ID_BYTES));
  }

  set id(bytes) {
    copyBytes(checkBytes(bytes), 0, this);
    if (ObjectId.cacheHexString) rememberHex(this, hexOfBytes(this.pool, this.offset));
  }

  /** @override */
  toHexString() {
    if (!ObjectId.cacheHexString) return hexOfBytes(this.pool, this.offset);
    return recallHex(this) ?? rememberHex(this, hexOfBytes(this.pool, this.offset));
  }

  /**
   * @param {any} other an ObjectId of any class, or hex text in either case
   * @returns {boolean}
   */
  equals(other) {
    if (!(other instanceof ObjectId)) return equalsByHex(this, other);
    const { pool, offset } = this;
    // Backwards, because the counter at the end is the most likely to differ.
    for (let at = ID_BYTES - 1; at >= 0; at--) {
      if (pool[offset + at] !== other.pool[other.offset + at]) return false;
    }
    return true;
  }

  /** @returns {Date} creation time, to the second */
  getTimestamp() {
    const { pool, offset } = this;
    const low = (pool[offset + 1] << 16) | (pool[offset + 2] << 8) | pool[offset + 3];
    return dateOfSeconds(pool[offset] * 0x1000000 + low);
  }

  /** @type {(bytes: Uint8Array, offset: number) => 12} bytes written */
  serializeInto(bytes, offset) {
    const { pool, offset: from } = this;
    bytes[offset] = pool[from];
    bytes[offset + 1] = pool[from + 1];
    bytes[offset + 2] = pool[from + 2];
    bytes[offset + 3] = pool[from + 3];
    bytes[offset + 4] = pool[from + 4];
    bytes[offset + 5] = pool[from + 5];
    bytes[offset + 6] = pool[from + 6];
    bytes[offset + 7] = pool[from + 7];
    bytes[offset + 8] = pool[from + 8];
    bytes[offset + 9] = pool[from + 9];
    bytes[offset + 10] = pool[from + 10];
    bytes[offset + 11] = pool[from + 11];
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

/** @returns {Uint8Array} */
function makePool() {
  openPool = new Uint8Array(ObjectId.poolSize * ID_BYTES);
  freeOffset = 0;
  return openPool;
}

/** Called after the id is created, so rejected input takes no slot. */
function takeSlot() {
  freeOffset += ID_BYTES;
  if (freeOffset === openPool.length) openPool = NO_POOL;
}

/** @param {Uint8Array} bytes @param {number} offset @param {ObjectId} id */
function copyBytes(bytes, offset, id) {
  for (let at = 0; at < ID_BYTES; at++) id.pool[id.offset + at] = bytes[offset + at];
}

/** Reads an ObjectId of a document. @type {(bytes: Uint8Array, offset: number) => ObjectId} */
export function readObjectId(bytes, offset) {
  return new ObjectId(bytes, offset);
}

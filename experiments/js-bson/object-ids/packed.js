import { BaseObjectId, equalsByHex } from './support/base-object-id.js';
import {
  ID_BYTES,
  dateOfSeconds,
  getProcessBytes,
  nowSeconds,
  writeTimeId,
} from './support/generate.js';
import { DIGIT_VALUES, HEX_PAIRS, isHexId } from './support/hex.js';
import { recallHex, rememberHex } from './support/hex-cache.js';
import {
  checkBytes,
  readBase64Text,
  readHexText,
  readInput,
  refuseHex,
} from './support/read-input.js';

/** The five bytes of the process, split over two words; negative until the first new id. */
let processHigh = -1;
let processLow = -1;

/**
 * An ObjectId that stores its bytes as four 24-bit integers, most significant byte first. They fit
 * V8's small integers, which are stored in the object itself: 56 bytes in total. Source: js-bson
 * #893, bson 7.3.4. `id` returns a copy.
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
      this.word0 = readWord(input, offset);
      this.word1 = readWord(input, offset + 3);
      this.word2 = readWord(input, offset + 6);
      this.word3 = readWord(input, offset + 9);
    } else if (input == null) {
      if (processHigh < 0) readProcessBytes();
      const seconds = nowSeconds();
      this.word0 = (seconds >>> 8) & 0xffffff;
      this.word1 = ((seconds & 0xff) << 16) | processHigh;
      this.word2 = processLow;
      this.word3 = ObjectId.getInc();
    } else if (typeof input === 'string') {
      if (!isHexId(input)) throw refuseHex(input);
      this.word0 = parseWord(input, 0);
      this.word1 = parseWord(input, 6);
      this.word2 = parseWord(input, 12);
      this.word3 = parseWord(input, 18);
      if (ObjectId.cacheHexString) rememberHex(this, input.toLowerCase());
    } else {
      const bytes = readInput(input);
      this.word0 = readWord(bytes, 0);
      this.word1 = readWord(bytes, 3);
      this.word2 = readWord(bytes, 6);
      this.word3 = readWord(bytes, 9);
    }
  }

  /** @override */
  get id() {
    const bytes = Buffer.allocUnsafe(ID_BYTES);
    this.serializeInto(bytes, 0);
    return bytes;
  }

  set id(bytes) {
    const checked = checkBytes(bytes);
    this.word0 = readWord(checked, 0);
    this.word1 = readWord(checked, 3);
    this.word2 = readWord(checked, 6);
    this.word3 = readWord(checked, 9);
    if (ObjectId.cacheHexString) rememberHex(this, hexOfWords(this));
  }

  /** @override */
  toHexString() {
    if (!ObjectId.cacheHexString) return hexOfWords(this);
    return recallHex(this) ?? rememberHex(this, hexOfWords(this));
  }

  /**
   * @param {any} other an ObjectId of any class, or hex text in either case
   * @returns {boolean}
   */
  equals(other) {
    if (!(other instanceof ObjectId)) return equalsByHex(this, other);
    // The last word, which has the counter, is the most likely to differ.
    return (
      this.word3 === other.word3 &&
      this.word0 === other.word0 &&
      this.word1 === other.word1 &&
      this.word2 === other.word2
    );
  }

  /** @returns {Date} creation time, to the second */
  getTimestamp() {
    return dateOfSeconds(this.word0 * 0x100 + (this.word1 >> 16));
  }

  /** @type {(bytes: Uint8Array, offset: number) => 12} bytes written */
  serializeInto(bytes, offset) {
    const { word0, word1, word2, word3 } = this;
    bytes[offset] = word0 >> 16;
    bytes[offset + 1] = word0 >> 8;
    bytes[offset + 2] = word0;
    bytes[offset + 3] = word1 >> 16;
    bytes[offset + 4] = word1 >> 8;
    bytes[offset + 5] = word1;
    bytes[offset + 6] = word2 >> 16;
    bytes[offset + 7] = word2 >> 8;
    bytes[offset + 8] = word2;
    bytes[offset + 9] = word3 >> 16;
    bytes[offset + 10] = word3 >> 8;
    bytes[offset + 11] = word3;
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

function readProcessBytes() {
  const bytes = getProcessBytes();
  processHigh = (bytes[0] << 8) | bytes[1];
  processLow = readWord(bytes, 2);
}

/** @type {(bytes: Uint8Array, at: number) => number} */
function readWord(bytes, at) {
  return (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
}

/** @type {(text: string, at: number) => number} */
function parseWord(text, at) {
  return (
    (DIGIT_VALUES[text.charCodeAt(at)] << 20) |
    (DIGIT_VALUES[text.charCodeAt(at + 1)] << 16) |
    (DIGIT_VALUES[text.charCodeAt(at + 2)] << 12) |
    (DIGIT_VALUES[text.charCodeAt(at + 3)] << 8) |
    (DIGIT_VALUES[text.charCodeAt(at + 4)] << 4) |
    DIGIT_VALUES[text.charCodeAt(at + 5)]
  );
}

/**
 * Concatenates the hex pairs of all bytes, as bson 7.3.4 does; the result is a rope.
 * @type {(id: ObjectId) => string}
 */
function hexOfWords({ word0, word1, word2, word3 }) {
  return (
    HEX_PAIRS[word0 >> 16] +
    HEX_PAIRS[(word0 >> 8) & 0xff] +
    HEX_PAIRS[word0 & 0xff] +
    HEX_PAIRS[word1 >> 16] +
    HEX_PAIRS[(word1 >> 8) & 0xff] +
    HEX_PAIRS[word1 & 0xff] +
    HEX_PAIRS[word2 >> 16] +
    HEX_PAIRS[(word2 >> 8) & 0xff] +
    HEX_PAIRS[word2 & 0xff] +
    HEX_PAIRS[word3 >> 16] +
    HEX_PAIRS[(word3 >> 8) & 0xff] +
    HEX_PAIRS[word3 & 0xff]
  );
}

/** Reads an ObjectId of a document. @type {(bytes: Uint8Array, offset: number) => ObjectId} */
export function readObjectId(bytes, offset) {
  return new ObjectId(bytes, offset);
}

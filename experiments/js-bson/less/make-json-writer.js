import { stringify } from '../operations/support/operation.js';
import {
  ARRAY,
  BOOLEAN,
  CODE_WITH_SCOPE,
  DATE,
  DOUBLE,
  END_OF_DOCUMENT,
  INT32,
  INT64,
  NULL,
  OBJECT,
  OBJECT_ID,
  STRING,
  UNDEFINED,
} from '../codec/element-types.js';
import { openDefaultReader } from '../codec/reader.js';
import { readElement } from '../codec/read-element.js';
import { isScratchInUse } from '../champion/codec.js';
import { readObjectId } from '../champion/object-id.js';
import { findZero } from '../champion/read-keys.js';
import { LARGEST_COPY, bytes, view } from '../champion/scratch.js';
import { UNKNOWN, matches } from '../champion/shapes.js';
import { deserialize } from '../champion/bson.js';
import { JsonShapes } from './json-shapes.js';

/** @import { JsonShape } from './json-shapes.js' */

/**
 * Where the text is collected. Positions are those of the document in the bytes of `scratch.js`.
 * @template Text
 * @typedef {object} Sink
 * @property {(sizeBytes: number) => void} begin a document of this size
 * @property {(text: string) => Text} prepare a text that is added often
 * @property {(text: Text) => void} add
 * @property {(text: string) => void} addAscii
 * @property {(text: string) => void} addAny
 * @property {(start: number, end: number) => void} addString in quotes; throws if it is not valid UTF-8
 * @property {(value: number) => void} addInteger of 32 bits
 * @property {(ms: number) => void} addDate in quotes; null if it is invalid
 * @property {(at: number) => void} addObjectId in quotes
 * @property {() => Buffer} finish
 */

/** Thrown for what is left to `deserialize` and `JSON.stringify`. */
const IRREGULAR = Symbol('irregular');

/** Documents nested deeper are left to them, too. */
const DEEPEST_RECURSION = 200;

const TWO_32 = 2 ** 32;
const LARGEST_EXACT_HIGH = 2 ** 21;

const EMPTY = openDefaultReader(Buffer.from([5, 0, 0, 0, 0]), readObjectId);
/** Reads the values of rare types. Its bytes end after those of any document; the walk sees that they do not exceed it. */
const reader = { ...EMPTY, bytes };

/**
 * Makes the function that writes a document as the JSON text of `JSON.stringify(deserialize(document))`, in UTF-8, without
 * the objects in between. What is not a valid document, and what objects would change (fields in another order, a key that
 * repeats, a DBRef), is left to these two functions.
 * @template Text
 * @param {Sink<Text>} sink
 * @returns {(document: Uint8Array) => Buffer}
 */
export function makeJsonWriter(sink) {
  const shapes = new JsonShapes(sink.prepare);
  const [braces, closingBrace, brackets, openingBracket, closingBracket, comma] = [
    ...['{}', '}', '[]', '[', ']', ','],
  ].map(sink.prepare);
  const [nothing, yes, no] = ['null', 'true', 'false'].map(sink.prepare);

  /** @type {(document: Uint8Array) => Buffer} */
  function bsonToJson(document) {
    try {
      const size = document.length;
      if (isScratchInUse() || !(size <= LARGEST_COPY)) throw IRREGULAR;
      bytes.set(document);
      sink.begin(size);
      if (view.getInt32(0, true) !== size) throw IRREGULAR;
      writeObject(0, size, shapes.root, 0);
      return sink.finish();
    } catch {
      return Buffer.from(stringify(deserialize(document)));
    }
  }

  /**
   * @param {number} start of the document
   * @param {number} limit which it must not exceed
   * @param {Shape} shape root of its shapes
   * @param {number} depth
   */
  function writeObject(start, limit, shape, depth) {
    const end = checkSize(start, limit, depth);
    let at = start + 4;
    let isEmpty = true;
    for (;;) {
      const type = bytes[at++];
      if (type === END_OF_DOCUMENT) break;
      const expected = shape.next;
      shape =
        expected !== null && matches(at - 1, expected)
          ? expected
          : shapes.followBytes(shape, at, end);
      const { texts } = /** @type {JsonShape<Text>} */ (shape);
      if (shape === UNKNOWN || texts == null) throw IRREGULAR;
      at += shape.size;
      if (at >= end) throw IRREGULAR;
      if (type === UNDEFINED) continue;
      sink.add(isEmpty ? texts.first : texts.other);
      isEmpty = false;
      at = writeValue(type, at, end, shape, depth);
    }
    if (at !== end || shape.maybeDbRef === true) throw IRREGULAR;
    sink.add(isEmpty ? braces : closingBrace);
  }

  /**
   * @param {number} start
   * @param {number} limit
   * @param {Shape} shape of its field
   * @param {number} depth
   */
  function writeArray(start, limit, shape, depth) {
    const end = checkSize(start, limit, depth);
    let at = start + 4;
    let isEmpty = true;
    for (;;) {
      const type = bytes[at++];
      if (type === END_OF_DOCUMENT) break;
      // Keys of an array have no meaning.
      at = findZero(at, end) + 1;
      if (at >= end) throw IRREGULAR;
      sink.add(isEmpty ? openingBracket : comma);
      isEmpty = false;
      at = writeValue(type === UNDEFINED ? NULL : type, at, end, shape, depth);
    }
    if (at !== end) throw IRREGULAR;
    sink.add(isEmpty ? brackets : closingBracket);
  }

  /**
   * @param {number} type
   * @param {number} at where the value begins
   * @param {number} end of the document around it
   * @param {Shape} shape of its field
   * @param {number} depth
   * @returns {number} where it ends
   */
  function writeValue(type, at, end, shape, depth) {
    switch (type) {
      case STRING: {
        const after = at + 4 + view.getInt32(at, true);
        if (after <= at + 4 || after >= end || bytes[after - 1] !== 0) throw IRREGULAR;
        sink.addString(at + 4, after - 1);
        return after;
      }
      case INT32:
        sink.addInteger(view.getInt32(at, true));
        return at + 4;
      case DOUBLE:
        writeNumber(view.getFloat64(at, true));
        return at + 8;
      case OBJECT:
        writeObject(at, end, shapes.nestedIn(shape), depth + 1);
        return at + view.getInt32(at, true);
      case ARRAY:
        writeArray(at, end, shape, depth + 1);
        return at + view.getInt32(at, true);
      case OBJECT_ID:
        sink.addObjectId(at);
        return at + 12;
      case DATE:
        sink.addDate(view.getInt32(at + 4, true) * TWO_32 + view.getUint32(at, true));
        return at + 8;
      case NULL:
        sink.add(nothing);
        return at;
      case BOOLEAN:
        if (bytes[at] > 1) throw IRREGULAR;
        sink.add(bytes[at] === 1 ? yes : no);
        return at + 1;
      case INT64: {
        const high = view.getInt32(at + 4, true);
        if (high < -LARGEST_EXACT_HIGH || high >= LARGEST_EXACT_HIGH) return writeOther(type, at);
        writeNumber(high * TWO_32 + view.getUint32(at, true));
        return at + 8;
      }
      case CODE_WITH_SCOPE:
        throw IRREGULAR;
      default:
        return writeOther(type, at);
    }
  }

  /** @param {number} value */
  function writeNumber(value) {
    if ((value | 0) === value) sink.addInteger(value);
    else if (Number.isFinite(value)) sink.addAscii(String(value));
    else sink.add(nothing);
  }

  /** Writes a value of a rare type by way of the value itself. @type {(type: number, at: number) => number} */
  function writeOther(type, at) {
    reader.index = at;
    sink.addAny(stringify(readElement(reader, type, '', true)));
    return reader.index;
  }

  return bsonToJson;
}

/** @typedef {JsonShape<any>} Shape */

/** @type {(start: number, limit: number, depth: number) => number} index after the document */
function checkSize(start, limit, depth) {
  const size = view.getInt32(start, true);
  if (size < 5 || size > limit - start || depth === DEEPEST_RECURSION) throw IRREGULAR;
  return start + size;
}

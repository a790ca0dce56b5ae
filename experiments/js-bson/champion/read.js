import {
  ARRAY,
  BINARY,
  BOOLEAN,
  CODE_WITH_SCOPE,
  DATE,
  DECIMAL128,
  DOUBLE,
  END_OF_DOCUMENT,
  INT32,
  INT64,
  MAX_KEY,
  MIN_KEY,
  NULL,
  OBJECT,
  OBJECT_ID,
  REGULAR_EXPRESSION,
  STRING,
  TIMESTAMP,
} from '../codec/element-types.js';
import { readInt32 } from '../codec/numbers.js';
import { assignField, promoteDbRef } from '../codec/read-container.js';
import { readElement } from '../codec/read-element.js';
import {
  Binary,
  Code,
  DBRef,
  Decimal128,
  Long,
  MaxKey,
  MinKey,
  Timestamp,
} from '../codec/values.js';
import { readDocument } from '../traversals/read-linked-list.js';
import { findZero, readKey } from './read-keys.js';
import { readText } from './read-text.js';
import { LARGEST_COPY, bytes, view } from './scratch.js';
import { ShapeTrie, UNKNOWN, assemble, matches, noteKey } from './shapes.js';

/** @import { Reader } from '../codec/reader.js' */
/** @import { Shape } from './shapes.js' */

/** Thrown for whatever is not a valid document of known kinds. */
const IRREGULAR = Symbol('irregular');

/** Deeper documents are read without recursion. */
const DEEPEST_RECURSION = 200;
const EMPTY_DOCUMENT_BYTES = 5;
/** With more keys, an object replaces those of others in their table, and then its own. */
const MOST_FOUND_KEYS = 1024;
const TWO_32 = 2 ** 32;
const LARGEST_EXACT_HIGH = 2 ** 21;

/** Where in the reader's bytes the copy begins. */
let origin = 0;

const shapes = new ShapeTrie();

/** Where the value read last ends. */
let position = 0;

/**
 * Reads a document by the shapes of earlier ones. What it does not expect, an invalid document or an unusual
 * option, is left to the loop over linked frames, which reads it from the start and knows every error.
 * @type {(reader: Reader) => any}
 */
export function readByShape(reader) {
  if (!isUsual(reader)) return readDocument(reader);
  const { index } = reader;
  const size = readInt32(reader.bytes, index);
  const isAll = reader.bytes.length === size;
  return readCopy(reader, index, isAll ? reader.bytes : reader.bytes.subarray(index, index + size));
}

/** Whether the bytes are those of one document. @type {(given: Buffer) => boolean} */
export function isWhole(given) {
  const { length } = given;
  return (
    length >= EMPTY_DOCUMENT_BYTES && readInt32(given, 0) === length && given[length - 1] === 0
  );
}

/** The same as `readByShape` for bytes that are one document, without options. @type {(reader: Reader) => any} */
export function readWhole(reader) {
  return readCopy(reader, 0, reader.bytes);
}

/** @type {(reader: Reader, index: number, content: Buffer) => any} */
function readCopy(reader, index, content) {
  const size = content.length;
  // Nothing but its size and its terminator, which have been checked.
  if (size === EMPTY_DOCUMENT_BYTES) return {};
  try {
    if (size > LARGEST_COPY) throw IRREGULAR;
    bytes.set(content);
    origin = index;
    return readObject(0, size, shapes.begin(), reader, 0);
  } catch {
    reader.index = index;
    return readDocument(reader);
  }
}

/** @type {(reader: Reader) => boolean} */
function isUsual({ index, raw, fieldsAsRaw, promoteValues, namedKeys }) {
  if (index >>> 0 !== index) return false;
  return promoteValues === true && namedKeys === null && !raw && hasNoNames(fieldsAsRaw);
}

/** @type {(fieldsAsRaw: any) => boolean} */
function hasNoNames(fieldsAsRaw) {
  for (const _name in fieldsAsRaw) return false;
  return true;
}

/**
 * Leaves an array whose documents stay bytes to the loop over linked frames. The MongoDB driver gives an empty object
 * as `fieldsAsRaw`; it still has the names of Object.prototype.
 * @param {Reader} rules
 * @param {string | number} name of an array
 */
function checkName({ fieldsAsRaw }, name) {
  if (fieldsAsRaw !== null && fieldsAsRaw[name]) throw IRREGULAR;
}

/**
 * @param {number} start of the document
 * @param {number} limit which it must not exceed
 * @param {Shape} shape root of its shapes
 * @param {Reader} rules
 * @param {number} depth
 * @returns {any}
 */
function readObject(start, limit, shape, rules, depth) {
  const end = checkSize(start, limit);
  if (depth === DEEPEST_RECURSION) return readSlowly(rules, start);
  // With room for four: a literal has none, and is given room for 17 by a call into the runtime.
  /** @type {any[]} */
  const values = new Array();
  let at = start + 4;
  for (;;) {
    const type = bytes[at++];
    if (type === END_OF_DOCUMENT) break;
    const expected = shape.next;
    if (expected !== null && matches(at - 1, expected)) shape = expected;
    else {
      const known = shapes.followBytes(shape, at, end);
      if (known === UNKNOWN) {
        const begun = shape.make === null ? assemble(shape, values) : shape.make(values);
        return readUnknown(at, end, begun, shape, rules, depth);
      }
      shape = known;
    }
    at += shape.size;
    if (at >= end) throw IRREGULAR;
    let value;
    if (type === STRING) {
      const size = view.getInt32(at, true);
      const textStart = at + 4;
      at = textStart + size;
      if (size <= 0 || at >= end || bytes[at - 1] !== 0) throw IRREGULAR;
      value = readText(textStart, at - 1, rules.validate);
    } else if (type === INT32) {
      value = view.getInt32(at, true);
      at += 4;
    } else if (type === DOUBLE) {
      value = view.getFloat64(at, true);
      at += 8;
    } else if (type === BOOLEAN) {
      const byte = bytes[at++];
      if (byte > 1) throw IRREGULAR;
      value = byte === 1;
    } else if (type === DATE) {
      value = readDate(at);
      at += 8;
    } else {
      if (type === ARRAY) checkName(rules, shape.key);
      value = readValue(type, at, end, shape, rules, depth);
      at = position;
    }
    values.push(value);
  }
  if (at !== end) throw IRREGULAR;
  const object = shape.make === null ? assemble(shape, values) : shape.make(values);
  return shape.maybeDbRef === true ? promoteDbRef(object) : object;
}

/** @type {(start: number, limit: number) => number} index after the document */
function checkSize(start, limit) {
  const size = view.getInt32(start, true);
  if (size < 5 || size > limit - start) throw IRREGULAR;
  return start + size;
}

/**
 * Reads the rest of an object of unknown shape.
 * @param {number} at after the type of a field
 * @param {number} end of the document
 * @param {any} object with the fields read so far
 * @param {Shape} shape of these fields
 * @param {Reader} rules
 * @param {number} depth
 * @returns {any}
 */
function readUnknown(at, end, object, { root, maybeDbRef }, rules, depth) {
  let type = bytes[at - 1];
  let left = MOST_FOUND_KEYS;
  while (type !== END_OF_DOCUMENT) {
    const keyEnd = findNul(at, end);
    // The first document has no shape, and shall not wait for the table of keys.
    const isOther = root === UNKNOWN || --left < 0;
    const key = isOther ? readText(at, keyEnd, false) : readKey(at, keyEnd);
    maybeDbRef = noteKey(maybeDbRef, key);
    if (type === ARRAY) checkName(rules, key);
    const holder = type === OBJECT || type === ARRAY ? shapes.unknownFieldOf(root, key) : UNKNOWN;
    const value = readValue(type, keyEnd + 1, end, holder, rules, depth);
    assignField(object, key, value);
    at = position;
    type = bytes[at++];
  }
  if (at !== end) throw IRREGULAR;
  return maybeDbRef === true ? promoteDbRef(object) : object;
}

/** @type {(at: number, end: number) => number} index of the next zero */
function findNul(at, end) {
  const zero = findZero(at, end);
  // At least one byte of a value, or the terminator of the document, follows.
  if (zero >= end - 1) throw IRREGULAR;
  return zero;
}

/**
 * @param {number} start
 * @param {number} limit
 * @param {Shape} shape of the field, for the documents in it
 * @param {Reader} rules
 * @param {number} depth
 * @returns {any[]}
 */
function readArray(start, limit, shape, rules, depth) {
  const end = checkSize(start, limit);
  if (depth === DEEPEST_RECURSION) throw IRREGULAR;
  /** @type {any[]} */
  const array = [];
  let at = start + 4;
  for (;;) {
    const type = bytes[at++];
    if (type === END_OF_DOCUMENT) break;
    // Keys of an array have no meaning.
    at = findNul(at, end) + 1;
    if (type === ARRAY) checkName(rules, array.length);
    array.push(readValue(type, at, end, shape, rules, depth));
    at = position;
  }
  if (at !== end) throw IRREGULAR;
  return array;
}

/**
 * Reads a value and sets `position` to its end.
 * @param {number} type
 * @param {number} at where the value begins
 * @param {number} end of the document around it
 * @param {Shape} shape of its field
 * @param {Reader} rules
 * @param {number} depth
 * @returns {any}
 */
function readValue(type, at, end, shape, rules, depth) {
  switch (type) {
    case STRING: {
      position = endOfText(at, end);
      return readText(at + 4, position - 1, rules.validate);
    }
    case INT32:
      position = at + 4;
      return view.getInt32(at, true);
    case DOUBLE:
      position = at + 8;
      return view.getFloat64(at, true);
    case OBJECT: {
      const object = readObject(at, end, shapes.nestedIn(shape), rules, depth + 1);
      position = at + view.getInt32(at, true);
      return object;
    }
    case ARRAY: {
      const array = readArray(at, end, shape, rules, depth + 1);
      position = at + view.getInt32(at, true);
      return array;
    }
    case OBJECT_ID:
      position = at + 12;
      if (position > end) throw IRREGULAR;
      return rules.readObjectId(bytes, at);
    case DATE:
      position = at + 8;
      return readDate(at);
    case NULL:
      position = at;
      return null;
    case BOOLEAN: {
      const byte = bytes[at];
      position = at + 1;
      if (byte > 1) throw IRREGULAR;
      return byte === 1;
    }
    case INT64:
      position = at + 8;
      return readInt64(at, rules);
    case BINARY:
      return readBinary(at, end, rules);
    case CODE_WITH_SCOPE:
      return readCodeWithScope(at, end, shape, rules, depth);
    case DECIMAL128:
      return readDecimal128(at, end);
    case TIMESTAMP:
      position = at + 8;
      return new Timestamp(new Long(view.getInt32(at, true), view.getInt32(at + 4, true)));
    case REGULAR_EXPRESSION:
      return readRegExp(at, end, rules);
    case MIN_KEY:
      position = at;
      return new MinKey();
    case MAX_KEY:
      position = at;
      return new MaxKey();
    default:
      return readOther(type, at, end, rules);
  }
}

/** @type {(at: number, end: number) => number} index after its terminator */
function endOfText(at, end) {
  const size = view.getInt32(at, true);
  const after = at + 4 + size;
  if (size <= 0 || after >= end || bytes[after - 1] !== 0) throw IRREGULAR;
  return after;
}

/** @type {(at: number) => Date} */
function readDate(at) {
  return new Date(view.getInt32(at + 4, true) * TWO_32 + view.getUint32(at, true));
}

/** @type {(at: number, rules: Reader) => number | bigint | Long} */
function readInt64(at, { useBigInt64, promoteLongs }) {
  if (useBigInt64) return view.getBigInt64(at, true);
  const low = view.getInt32(at, true);
  const high = view.getInt32(at + 4, true);
  const isExact = high < LARGEST_EXACT_HIGH && high >= -LARGEST_EXACT_HIGH;
  if (promoteLongs && isExact) return high * TWO_32 + (low >>> 0);
  const long = new Long(low, high);
  return promoteLongs && high === LARGEST_EXACT_HIGH && low === 0 ? long.toNumber() : long;
}

const DECIMAL128_BYTES = 16;
/** In Node, each use of the global is a call of a getter. */
const { allocUnsafe } = Buffer;

/**
 * Makes a value of bson's class, whose constructor tells several kinds of input apart.
 * @this {any}
 * @param {Buffer} content
 */
function ReadDecimal128(content) {
  this.bytes = content;
}
ReadDecimal128.prototype = Decimal128.prototype;

/** @type {(at: number, end: number) => Decimal128} */
function readDecimal128(at, end) {
  position = at + DECIMAL128_BYTES;
  if (position >= end) throw IRREGULAR;
  const content = allocUnsafe(DECIMAL128_BYTES);
  for (let index = 0; index < DECIMAL128_BYTES; index++) content[index] = bytes[at + index];
  return new /** @type {any} */ (ReadDecimal128)(content);
}

/**
 * Makes a value of bson's class, whose constructor tells several kinds of input apart.
 * @this {any}
 * @param {Buffer} content
 * @param {number} subtype
 */
function ReadBinary(content, subtype) {
  this.buffer = content;
  this.sub_type = subtype;
  this.position = content.length;
}
ReadBinary.prototype = Binary.prototype;

/** @type {(at: number, end: number, rules: Reader) => any} */
function readBinary(at, end, rules) {
  const subtype = bytes[at + 4];
  const isUsualSubtype = subtype !== Binary.SUBTYPE_BYTE_ARRAY && subtype !== Binary.SUBTYPE_UUID;
  if (!isUsualSubtype) return readOther(BINARY, at, end, rules);
  const start = at + 5;
  const size = view.getInt32(at, true);
  if (size < 0 || size >= end - start) throw IRREGULAR;
  position = start + size;
  const content = rules.bytes.subarray(origin + start, origin + position);
  if (rules.promoteBuffers) return content;
  return new /** @type {any} */ (ReadBinary)(content, subtype);
}

/** Of JavaScript, by the options of BSON, of which bson reads others as none. */
const FLAGS = new Map([
  [0x69, 'i'],
  [0x6d, 'm'],
  [0x73, 'g'],
]);

/** @type {(at: number, end: number, rules: Reader) => any} */
function readRegExp(at, end, rules) {
  if (rules.bsonRegExp) return readOther(REGULAR_EXPRESSION, at, end, rules);
  const patternEnd = findNul(at, end);
  const optionsEnd = findNul(patternEnd + 1, end);
  position = optionsEnd + 1;
  let flags = '';
  for (let index = patternEnd + 1; index < optionsEnd; index++) {
    flags += FLAGS.get(bytes[index]) ?? '';
  }
  return new RegExp(readText(at, patternEnd, false), flags);
}

/** @type {(at: number, end: number, shape: Shape, rules: Reader, depth: number) => Code} */
function readCodeWithScope(at, end, shape, rules, depth) {
  const last = at + view.getInt32(at, true);
  const scopeStart = endOfText(at + 4, end);
  const source = readText(at + 8, scopeStart - 1, rules.validate);
  const scope = readObject(scopeStart, end, shapes.nestedIn(shape), rules, depth + 1);
  // A scope is never a reference.
  if (scope instanceof DBRef) throw IRREGULAR;
  if (scopeStart + view.getInt32(scopeStart, true) !== last) throw IRREGULAR;
  position = last;
  return new Code(source, scope);
}

/** @type {(type: number, at: number, end: number, rules: Reader) => any} of a rare type */
function readOther(type, at, end, rules) {
  rules.index = origin + at;
  const value = readElement(rules, type, '', rules.validate);
  position = rules.index - origin;
  if (position >= end) throw IRREGULAR;
  return value;
}

/** @type {(rules: Reader, start: number) => any} */
function readSlowly(rules, start) {
  rules.index = origin + start;
  return readDocument(rules);
}

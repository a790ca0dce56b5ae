import {
  ARRAY,
  BINARY,
  BOOLEAN,
  CODE,
  CODE_WITH_SCOPE,
  DATE,
  DOUBLE,
  END_OF_DOCUMENT,
  INT32,
  INT64,
  MAX_KEY,
  MIN_KEY,
  NULL,
  OBJECT,
  OBJECT_ID,
  STRING,
  TIMESTAMP,
} from '../codec/element-types.js';
import { isMap } from '../codec/kinds.js';
import { Binary, Code, Double, Int32, Long, MaxKey, MinKey, Timestamp } from '../codec/values.js';
import { copyContent } from '../codec/write-bytes.js';
import {
  ENTER_DBREF,
  ENTER_DOCUMENT,
  listDbRefFields,
  resolveDocument,
  rulesOfDbRef,
} from '../codec/write-container.js';
import { writeElement } from '../codec/write-element.js';
import { bytes, view } from './scratch.js';
import { ShapeTrie, UNKNOWN, compileWriter, isWorthCompiling, listPath } from './shapes.js';

/** @import { Rules } from '../codec/write-container.js' */
/** @import { Shape } from './shapes.js' */

/** Thrown for what only the loop over linked frames can write, or refuse with the right error. */
export const UNUSUAL = Symbol('unusual');

/** Deeper documents, and those that contain themselves, are written without recursion. */
const DEEPEST_RECURSION = 1000;
/** Parsed objects with more keys are dictionaries, in which a name is looked up no faster than a key. */
const MOST_COMPILED_KEYS = 127;

/** Up to this many characters, a loop is faster than a call into the runtime. */
const LONGEST_LOOP = 20;
/** Of a UTF-16 code unit. */
const MOST_UTF8_BYTES = 3;
const LAST_ASCII = 0x7f;
const TWO_32 = 2 ** 32;

const { getPrototypeOf } = Object;
const OBJECT_PROTOTYPE = Object.prototype;
const DATE_PROTOTYPE = Date.prototype;
const BINARY_PROTOTYPE = Binary.prototype;
const CODE_PROTOTYPE = Code.prototype;
const DOUBLE_PROTOTYPE = Double.prototype;
const INT32_PROTOTYPE = Int32.prototype;
const LONG_PROTOTYPE = Long.prototype;
const TIMESTAMP_PROTOTYPE = Timestamp.prototype;
const MIN_KEY_PROTOTYPE = MinKey.prototype;
const MAX_KEY_PROTOTYPE = MaxKey.prototype;

const shapes = new ShapeTrie();

/** The prototype of the ids that are written directly. */
let objectIdPrototype = /** @type {any} */ (null);

/** @type {(ObjectId: { prototype: any }) => void} */
export function setObjectId({ prototype }) {
  objectIdPrototype = prototype;
}

/**
 * Writes a document into the scratch buffer by recursion, along the shapes of earlier ones.
 * @param {any} document
 * @param {Rules} rules neither `checkKeys` nor `serializeFunctions`
 * @returns {number} size in bytes
 * @throws {typeof UNUSUAL} for what is to be written by the loop over linked frames
 * @throws {RangeError} if the scratch buffer is too small
 */
export function writeByShape(document, rules) {
  if (getPrototypeOf(document) !== OBJECT_PROTOTYPE && isMap(document)) {
    return writeMap(document, 0, rules, 0);
  }
  return writeObject(resolveDocument(document), 0, shapes.begin(), rules, 0);
}

/**
 * @param {any} object
 * @param {number} start
 * @param {Shape} root of its shapes
 * @param {Rules} rules
 * @param {number} depth
 * @returns {number} offset after the document
 */
function writeObject(object, start, root, rules, depth) {
  if (depth === DEEPEST_RECURSION) throw UNUSUAL;
  const keys = Object.keys(object);
  const shape = shapes.followKeys(root, keys);
  let at = start + 4;
  if (shape === UNKNOWN) {
    for (let index = 0; index < keys.length; index++) {
      at = writeUnknownField(at, keys[index], object[keys[index]], rules, depth);
    }
  } else if (shape.write !== null) {
    at = shape.write(object, at, rules, depth);
  } else {
    const path = listPath(shape);
    for (let index = 0; index < keys.length; index++) {
      at = writeField(at, path[index], object[keys[index]], rules, depth);
    }
    if (keys.length <= MOST_COMPILED_KEYS && isWorthCompiling(shape)) {
      shape.write = compileWriter(shape, writeField);
    }
  }
  return closeDocument(start, at);
}

/** @type {(entries: Map<any, any>, start: number, rules: Rules, depth: number) => number} */
function writeMap(entries, start, rules, depth) {
  if (depth === DEEPEST_RECURSION) throw UNUSUAL;
  let at = start + 4;
  const iterator = entries.entries();
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const [key, value] = next.value;
    if (typeof key !== 'string') throw UNUSUAL;
    at = writeUnknownField(at, key, value, rules, depth);
  }
  return closeDocument(start, at);
}

/**
 * @param {any[]} array
 * @param {number} start
 * @param {Shape} shape of its field
 * @param {Rules} rules
 * @param {number} depth
 * @returns {number} offset after the document
 */
function writeArray(array, start, shape, rules, depth) {
  if (depth === DEEPEST_RECURSION) throw UNUSUAL;
  let at = start + 4;
  for (let index = 0; index < array.length; index++) {
    const value = array[index];
    const from = writeIndex(at + 1, index);
    if (typeof value === 'string') {
      bytes[at] = STRING;
      at = writeText(from, value);
    } else if (typeof value === 'number') {
      at = writeNumber(at, from, value);
    } else {
      at = writeValue(at, from, String(index), value, shape, true, rules, depth);
    }
  }
  return closeDocument(start, at);
}

/** @type {(at: number, shape: Shape, value: any, rules: Rules, depth: number) => number} */
function writeField(at, shape, value, rules, depth) {
  const from = copyKey(at, shape);
  if (typeof value === 'string') {
    bytes[at] = STRING;
    return writeText(from, value);
  }
  if (typeof value === 'number') return writeNumber(at, from, value);
  return writeValue(at, from, shape.key, value, shape, false, rules, depth);
}

/** @type {(at: number, key: string, value: any, rules: Rules, depth: number) => number} */
function writeUnknownField(at, key, value, rules, depth) {
  const from = writeKey(at + 1, key);
  if (typeof value === 'string') {
    bytes[at] = STRING;
    return writeText(from, value);
  }
  if (typeof value === 'number') return writeNumber(at, from, value);
  return writeValue(at, from, key, value, UNKNOWN, false, rules, depth);
}

/**
 * Writes a value that is neither a string nor a number, after its key.
 * @param {number} at offset of the type
 * @param {number} from offset of the value
 * @param {string} key
 * @param {any} value
 * @param {Shape} shape of the field
 * @param {boolean} inArray
 * @param {Rules} rules
 * @param {number} depth
 * @returns {number} offset after the value, or `at` if there is nothing to write
 */
function writeValue(at, from, key, value, shape, inArray, rules, depth) {
  if (value === null) {
    bytes[at] = NULL;
    return from;
  }
  if (typeof value === 'boolean') {
    bytes[at] = BOOLEAN;
    bytes[from] = value ? 1 : 0;
    return from + 1;
  }
  if (typeof value === 'bigint') {
    bytes[at] = INT64;
    view.setBigInt64(from, value, true);
    return from + 8;
  }
  const isReplaced = value !== undefined && typeof value.toBSON === 'function';
  if (isReplaced) value = value.toBSON();
  if (typeof value !== 'object' || value === null) {
    return writeRest(at, key, value, shape, inArray, rules, depth);
  }
  const prototype = getPrototypeOf(value);
  if (prototype === OBJECT_PROTOTYPE && value._bsontype == null) {
    bytes[at] = OBJECT;
    const source = isReplaced ? resolveDocument(value) : value;
    return writeObject(source, from, shapes.nestedIn(shape), rules, depth + 1);
  }
  if (prototype === objectIdPrototype) {
    bytes[at] = OBJECT_ID;
    return from + value.serializeInto(bytes, from);
  }
  if (prototype === DATE_PROTOTYPE && value._bsontype == null) {
    bytes[at] = DATE;
    return writeDate(from, value);
  }
  if (Array.isArray(value) && /** @type {any} */ (value)._bsontype == null) {
    bytes[at] = ARRAY;
    return writeArray(value, from, shape, rules, depth + 1);
  }
  const end = writeBsonValue(at, from, value, prototype, shape, rules, depth);
  return end === NOT_WRITTEN ? writeRest(at, key, value, shape, inArray, rules, depth) : end;
}

const NOT_WRITTEN = -1;

/**
 * Writes a value of one of the frequent classes of bson.
 * @param {number} at offset of the type
 * @param {number} from offset of the value
 * @param {any} value
 * @param {object} prototype of the value
 * @param {Shape} shape of the field
 * @param {Rules} rules
 * @param {number} depth
 * @returns {number} offset after the value, or `NOT_WRITTEN`
 */
function writeBsonValue(at, from, value, prototype, shape, rules, depth) {
  if (prototype === BINARY_PROTOTYPE) return writeBinary(at, from, value);
  if (prototype === CODE_PROTOTYPE) return writeCode(at, from, value, shape, rules, depth);
  if (prototype === LONG_PROTOTYPE || prototype === TIMESTAMP_PROTOTYPE) {
    bytes[at] = prototype === LONG_PROTOTYPE ? INT64 : TIMESTAMP;
    view.setInt32(from, value.low, true);
    view.setInt32(from + 4, value.high, true);
    return from + 8;
  }
  if (prototype === DOUBLE_PROTOTYPE) {
    bytes[at] = DOUBLE;
    view.setFloat64(from, value.value, true);
    return from + 8;
  }
  if (prototype === INT32_PROTOTYPE) {
    bytes[at] = INT32;
    view.setInt32(from, value.value, true);
    return from + 4;
  }
  if (prototype !== MIN_KEY_PROTOTYPE && prototype !== MAX_KEY_PROTOTYPE) return NOT_WRITTEN;
  bytes[at] = prototype === MIN_KEY_PROTOTYPE ? MIN_KEY : MAX_KEY;
  return from;
}

/** @type {(at: number, from: number, value: Binary) => number} */
function writeBinary(at, from, { buffer, position: size, sub_type: subtype }) {
  if (subtype === Binary.SUBTYPE_BYTE_ARRAY || subtype === Binary.SUBTYPE_VECTOR)
    return NOT_WRITTEN;
  bytes[at] = BINARY;
  view.setInt32(from, size, true);
  bytes[from + 4] = subtype;
  return copyContent(bytes, from + 5, buffer, size);
}

/** @type {(at: number, from: number, value: Code, shape: Shape, rules: Rules, depth: number) => number} */
function writeCode(at, from, { code, scope }, shape, rules, depth) {
  if (typeof code !== 'string') return NOT_WRITTEN;
  if (!scope || typeof scope !== 'object') {
    bytes[at] = CODE;
    return writeText(from, code);
  }
  if (getPrototypeOf(scope) !== OBJECT_PROTOTYPE) return NOT_WRITTEN;
  bytes[at] = CODE_WITH_SCOPE;
  const start = writeText(from + 4, code);
  const root = shapes.nestedIn(shape);
  const end = writeObject(resolveDocument(scope), start, root, rules, depth + 1);
  view.setInt32(from, end - from, true);
  return end;
}

/**
 * Writes an element of a rare kind from its beginning.
 * @param {number} at offset of the type
 * @param {string} key
 * @param {any} value
 * @param {Shape} shape
 * @param {boolean} inArray
 * @param {Rules} rules
 * @param {number} depth
 * @returns {number}
 */
function writeRest(at, key, value, shape, inArray, rules, depth) {
  const end = writeElement(bytes, at, key, value, inArray, rules);
  if (end >= 0) return end;
  const from = writeKey(at + 1, key);
  if (end === ENTER_DOCUMENT) {
    bytes[at] = Array.isArray(value) ? ARRAY : OBJECT;
    return writeDocument(value, from, shape, rules, depth + 1);
  }
  if (end === ENTER_DBREF) {
    bytes[at] = OBJECT;
    return writeDocument(listDbRefFields(value), from, shape, rulesOfDbRef(rules), depth + 1);
  }
  const { code, scope } = value;
  if (typeof code !== 'string') throw UNUSUAL;
  bytes[at] = CODE_WITH_SCOPE;
  const after = writeDocument(scope, writeText(from + 4, code), shape, rules, depth + 1);
  view.setInt32(from, after - from, true);
  return after;
}

/** @type {(document: any, start: number, shape: Shape, rules: Rules, depth: number) => number} */
function writeDocument(document, start, shape, rules, depth) {
  if (Array.isArray(document)) return writeArray(document, start, shape, rules, depth);
  if (isMap(document)) return writeMap(document, start, rules, depth);
  return writeObject(resolveDocument(document), start, shapes.nestedIn(shape), rules, depth);
}

/** @type {(start: number, at: number) => number} offset after the terminator */
function closeDocument(start, at) {
  view.setUint8(at, END_OF_DOCUMENT);
  const end = at + 1;
  view.setInt32(start, end - start, true);
  return end;
}

/** @type {(at: number, shape: Shape) => number} offset after the key; `at` is that of the type */
function copyKey(at, { words, size }) {
  for (let word = 0; word < words.length; word++) view.setInt32(at + 4 * word, words[word], true);
  return at + 1 + size;
}

/** @type {(at: number, key: string) => number} offset after the key */
function writeKey(at, key) {
  const { length } = key;
  if (length > LONGEST_LOOP) return writeLongKey(at, key);
  for (let index = 0; index < length; index++) {
    const code = key.charCodeAt(index);
    if (code === 0 || code > LAST_ASCII) return writeLongKey(at, key);
    bytes[at + index] = code;
  }
  bytes[at + length] = 0;
  return at + length + 1;
}

/** @type {(at: number, key: string) => number} */
function writeLongKey(at, key) {
  if (key.includes('\0')) throw UNUSUAL;
  requireRoom(at, key.length);
  const end = at + bytes.utf8Write(key, at);
  bytes[end] = 0;
  return end + 1;
}

/** @type {(at: number, index: number) => number} offset after the key of an array element */
function writeIndex(at, index) {
  if (index > 99) return writeKey(at, String(index));
  if (index > 9) bytes[at++] = 0x30 + ((index / 10) | 0);
  bytes[at] = 0x30 + (index % 10);
  bytes[at + 1] = 0;
  return at + 2;
}

/** @type {(at: number, text: string) => number} offset after size, text and terminator */
function writeText(at, text) {
  const { length } = text;
  if (length > LONGEST_LOOP) return writeLongText(at, text);
  const start = at + 4;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code > LAST_ASCII) return writeLongText(at, text);
    bytes[start + index] = code;
  }
  view.setInt32(at, length + 1, true);
  bytes[start + length] = 0;
  return start + length + 1;
}

/** @type {(at: number, text: string) => number} */
function writeLongText(at, text) {
  const start = at + 4;
  requireRoom(start, text.length);
  const end = start + bytes.utf8Write(text, start);
  view.setInt32(at, end - start + 1, true);
  bytes[end] = 0;
  return end + 1;
}

/** Text that does not fit would be cut off. @type {(at: number, length: number) => void} */
function requireRoom(at, length) {
  if (at + MOST_UTF8_BYTES * length >= bytes.length) throw UNUSUAL;
}

/** @type {(at: number, from: number, value: number) => number} */
function writeNumber(at, from, value) {
  if ((value | 0) === value && !Object.is(value, -0)) {
    bytes[at] = INT32;
    view.setInt32(from, value, true);
    return from + 4;
  }
  bytes[at] = DOUBLE;
  view.setFloat64(from, value, true);
  return from + 8;
}

/** @type {(from: number, value: Date) => number} */
function writeDate(from, value) {
  const time = value.getTime();
  const high = Math.floor(time / TWO_32);
  view.setInt32(from, time - high * TWO_32, true);
  view.setInt32(from + 4, high, true);
  return from + 8;
}

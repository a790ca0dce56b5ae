/**
 * The sizes of values as `calculateObjectSize` of bson 7.3.4 counts them, in places not as it
 * writes them: every view and ArrayBuffer counts as binary.
 */
import { isAnyArrayBuffer, isDate, isRegExp } from './kinds.js';
import { BSONVersionError, Binary } from './values.js';

/** @typedef {{ serializeFunctions: boolean, ignoreUndefined: boolean }} SizeRules */

/**
 * Schedules a document to be counted later; returns 0 bytes.
 * @typedef {(document: any, rules?: SizeRules) => number} Enter
 */

/** Marks a value that is not written, nor its key. */
export const LEFT_OUT = -1;

/** Marks the major version of bson; value classes of others are rejected. */
const VERSION = Symbol.for('@@mdb.bson.version');
const MAJOR_VERSION = 7;

/** Type and terminator around the key. */
const KEY_FRAME_BYTES = 2;
/** Size and terminator around a string. */
const STRING_FRAME_BYTES = 5;
/** Size and subtype before bytes. */
const BINARY_FRAME_BYTES = 5;
/** The second size, of binary subtype 2 and of code with scope. */
const INNER_SIZE_BYTES = 4;
/** Terminators of pattern and options. */
const REGEXP_FRAME_BYTES = 2;
const BOOLEAN_BYTES = 1;
const INT32_BYTES = 4;
const EIGHT_BYTES = 8;
const OBJECT_ID_BYTES = 12;
const DECIMAL128_BYTES = 16;

/** The size of the type byte and key before a value. @type {(key: string) => number} bytes */
export function sizeOfKey(key) {
  return KEY_FRAME_BYTES + Buffer.byteLength(key);
}

/**
 * The size of a value without its key.
 * @param {any} value after its own toBSON, if any
 * @param {SizeRules} rules
 * @param {Enter} enter
 * @returns {number} bytes, or `LEFT_OUT`
 * @throws {BSONVersionError} if its class is of another major version
 */
export function sizeOfValue(value, rules, enter) {
  switch (typeof value) {
    case 'string':
      return sizeOfText(value);
    case 'number':
      return sizeOfNumber(value);
    case 'boolean':
      return BOOLEAN_BYTES;
    case 'bigint':
      return EIGHT_BYTES;
    case 'undefined':
      return rules.ignoreUndefined ? LEFT_OUT : 0;
    case 'function':
      return rules.serializeFunctions ? sizeOfText(value.toString()) : LEFT_OUT;
    case 'object':
      if (value === null) return 0;
      return typeof value._bsontype === 'string'
        ? sizeOfBsonValue(value, rules, enter)
        : sizeOfObject(value, enter);
    default:
      return LEFT_OUT;
  }
}

/**
 * @param {string} text as a value
 * @returns {number}
 */
function sizeOfText(text) {
  return STRING_FRAME_BYTES + Buffer.byteLength(text);
}

/** @type {(value: number) => number} */
function sizeOfNumber(value) {
  return (value | 0) === value && !Object.is(value, -0) ? INT32_BYTES : EIGHT_BYTES;
}

/**
 * @param {any} value an object that is not a BSON value
 * @param {Enter} enter
 * @returns {number}
 */
function sizeOfObject(value, enter) {
  if (isDate(value)) return EIGHT_BYTES;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || isAnyArrayBuffer(value)) {
    return BINARY_FRAME_BYTES + value.byteLength;
  }
  if (isRegExp(value)) {
    const { source, global, ignoreCase, multiline } = value;
    const flags = Number(global) + Number(ignoreCase) + Number(multiline);
    return REGEXP_FRAME_BYTES + Buffer.byteLength(source) + flags;
  }
  return enter(value);
}

/**
 * @param {any} value an object with a `_bsontype`
 * @param {SizeRules} rules
 * @param {Enter} enter
 * @returns {number}
 */
function sizeOfBsonValue(value, rules, enter) {
  if (value[VERSION] !== MAJOR_VERSION) throw new BSONVersionError();
  switch (value._bsontype) {
    case 'ObjectId':
      return OBJECT_ID_BYTES;
    case 'Long':
    case 'Double':
    case 'Timestamp':
      return EIGHT_BYTES;
    case 'Decimal128':
      return DECIMAL128_BYTES;
    case 'Int32':
      return INT32_BYTES;
    case 'BSONSymbol':
      return sizeOfText(value.value);
    case 'MinKey':
    case 'MaxKey':
      return 0;
    case 'Binary':
      return sizeOfBinary(value);
    case 'Code':
      return sizeOfCode(value, enter);
    case 'DBRef':
      return enter(listFields(value), { ...rules, ignoreUndefined: true });
    case 'BSONRegExp':
      return (
        REGEXP_FRAME_BYTES + Buffer.byteLength(value.pattern) + Buffer.byteLength(value.options)
      );
    default:
      return sizeOfObject(value, enter);
  }
}

/** @type {(value: Binary) => number} */
function sizeOfBinary({ position, sub_type: subtype }) {
  const size = BINARY_FRAME_BYTES + position;
  return subtype === Binary.SUBTYPE_BYTE_ARRAY ? size + INNER_SIZE_BYTES : size;
}

/** @type {(value: import('bson').Code, enter: Enter) => number} */
function sizeOfCode({ code, scope }, enter) {
  const size = sizeOfText(code.toString());
  if (scope == null || typeof scope !== 'object') return size;
  return INNER_SIZE_BYTES + size + enter(scope);
}

/** @type {(value: import('bson').DBRef) => object} */
function listFields({ collection, oid, db, fields }) {
  const all = Object.assign({ $ref: collection, $id: oid }, fields);
  return db == null ? all : Object.assign(all, { $db: db });
}

import {
  BINARY,
  BOOLEAN,
  CODE,
  DATE,
  DOUBLE,
  INT32,
  INT64,
  NULL,
  REGULAR_EXPRESSION,
  STRING,
} from './element-types.js';
import { isDate, isRegExp, isUint8Array } from './kinds.js';
import { writeFloat64, writeInt32, writeInt64 } from './numbers.js';
import { BSONError, Long } from './values.js';
import { writeBsonValue } from './write-bson-value.js';
import { writeBytes } from './write-bytes.js';
import { ENTER_DOCUMENT } from './write-container.js';
import { writeHeader, writeText, writeUtf8 } from './write-text.js';

/** @import { Rules } from './write-container.js' */

const SUBTYPE_GENERIC = 0;

/**
 * Writes one element, unless the value is a container: those are entered by the traversal.
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {any} value after its own toBSON, if any
 * @param {boolean} inArray whether the element is in an array, where undefined becomes null
 * @param {Rules} rules
 * @returns {number} offset after the element, or one of the negative `ENTER_…` marks
 * @throws {BSONError} if the value cannot be written
 */
export function writeElement(bytes, offset, key, value, inArray, rules) {
  const type = typeof value;
  if (value === undefined) {
    return inArray || rules.ignoreUndefined === false ? writeNull(bytes, offset, key) : offset;
  }
  if (value === null) return writeNull(bytes, offset, key);
  if (type === 'string') return writeString(bytes, offset, key, value);
  if (type === 'number') return writeNumber(bytes, offset, key, value);
  if (type === 'bigint') return writeBigInt(bytes, offset, key, value);
  if (type === 'boolean') return writeBoolean(bytes, offset, key, value);
  if (type === 'object') {
    return value._bsontype == null
      ? writeObject(bytes, offset, key, value)
      : writeBsonValue(bytes, offset, key, value);
  }
  if (type === 'function' && rules.serializeFunctions) {
    return writeFunction(bytes, offset, key, value);
  }
  return offset;
}

/**
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {object} value an object that is not a BSON value
 * @returns {number} offset after the element, or `ENTER_DOCUMENT`
 */
function writeObject(bytes, offset, key, value) {
  if (isDate(value)) return writeDate(bytes, offset, key, value);
  if (isUint8Array(value)) {
    return writeBytes(bytes, writeHeader(bytes, offset, BINARY, key), value, SUBTYPE_GENERIC);
  }
  if (isRegExp(value)) return writeRegExp(bytes, offset, key, value);
  return ENTER_DOCUMENT;
}

/** @type {(bytes: Buffer, offset: number, key: string) => number} */
function writeNull(bytes, offset, key) {
  return writeHeader(bytes, offset, NULL, key);
}

/** @type {(bytes: Buffer, offset: number, key: string, value: string) => number} */
function writeString(bytes, offset, key, value) {
  return writeText(bytes, writeHeader(bytes, offset, STRING, key), value);
}

/**
 * Integers that fit are int32, everything else a double; minus zero exists only as a double.
 * @type {(bytes: Buffer, offset: number, key: string, value: number) => number}
 */
function writeNumber(bytes, offset, key, value) {
  if ((value | 0) === value && !Object.is(value, -0)) {
    return writeInt32(bytes, writeHeader(bytes, offset, INT32, key), value);
  }
  return writeFloat64(bytes, writeHeader(bytes, offset, DOUBLE, key), value);
}

/**
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {bigint} value, truncated to its low 64 bits
 * @returns {number}
 */
function writeBigInt(bytes, offset, key, value) {
  return writeInt64(bytes, writeHeader(bytes, offset, INT64, key), value);
}

/** @type {(bytes: Buffer, offset: number, key: string, value: boolean) => number} */
function writeBoolean(bytes, offset, key, value) {
  const start = writeHeader(bytes, offset, BOOLEAN, key);
  bytes[start] = value ? 1 : 0;
  return start + 1;
}

/** @type {(bytes: Buffer, offset: number, key: string, value: Date) => number} */
function writeDate(bytes, offset, key, value) {
  const start = writeHeader(bytes, offset, DATE, key);
  const milliseconds = Long.fromNumber(value.getTime());
  writeInt32(bytes, start, milliseconds.getLowBits());
  return writeInt32(bytes, start + 4, milliseconds.getHighBits());
}

/**
 * JavaScript's `g` becomes `s`, as in every version of bson; other flags have no counterpart.
 * @type {(bytes: Buffer, offset: number, key: string, value: RegExp) => number}
 */
function writeRegExp(bytes, offset, key, value) {
  const { source } = value;
  if (source && source.includes('\0')) {
    throw new BSONError(`the regular expression of key '${key}' holds a NUL byte in its source`);
  }
  let at = writeUtf8(bytes, writeHeader(bytes, offset, REGULAR_EXPRESSION, key), source);
  bytes[at++] = 0;
  if (value.ignoreCase) bytes[at++] = 0x69;
  if (value.global) bytes[at++] = 0x73;
  if (value.multiline) bytes[at++] = 0x6d;
  bytes[at++] = 0;
  return at;
}

/** @type {(bytes: Buffer, offset: number, key: string, value: Function) => number} */
function writeFunction(bytes, offset, key, value) {
  return writeText(bytes, writeHeader(bytes, offset, CODE, key), value.toString());
}

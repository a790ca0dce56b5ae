import {
  CODE,
  DECIMAL128,
  DOUBLE,
  INT32,
  INT64,
  MAX_KEY,
  MIN_KEY,
  REGULAR_EXPRESSION,
  SYMBOL,
  TIMESTAMP,
} from './element-types.js';
import { writeFloat64, writeInt32 } from './numbers.js';
import { writeObjectId } from './object-id.js';
import { BSONError, BSONVersionError, bsonType } from './values.js';
import { writeBinary } from './write-bytes.js';
import { ENTER_DBREF, ENTER_SCOPE } from './write-container.js';
import { writeHeader, writeText, writeUtf8 } from './write-text.js';

/** Marks the major version of bson; value classes of others are rejected. */
const VERSION = Symbol.for('@@mdb.bson.version');
const MAJOR_VERSION = 7;

const DECIMAL128_BYTES = 16;

/**
 * Writes an element whose value has a `_bsontype`.
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {any} value
 * @returns {number} offset after the element, or `ENTER_SCOPE` or `ENTER_DBREF`
 * @throws {BSONVersionError} if the class is of another major version
 * @throws {BSONError} if the type is unknown
 */
export function writeBsonValue(bytes, offset, key, value) {
  if (value[VERSION] !== MAJOR_VERSION) throw new BSONVersionError();
  const tag = value[bsonType];
  if (tag === 'ObjectId') return writeObjectId(bytes, offset, key, value);
  if (tag === 'Decimal128') return writeDecimal128(bytes, offset, key, value);
  if (tag === 'Long') return writeLong(bytes, offset, INT64, key, value);
  if (tag === 'Timestamp') return writeLong(bytes, offset, TIMESTAMP, key, value);
  if (tag === 'Double') {
    return writeFloat64(bytes, writeHeader(bytes, offset, DOUBLE, key), value.value);
  }
  if (tag === 'Code') return writeCode(bytes, offset, key, value);
  if (tag === 'Binary') return writeBinary(bytes, offset, key, value);
  if (tag === 'BSONSymbol') {
    return writeText(bytes, writeHeader(bytes, offset, SYMBOL, key), value.value);
  }
  if (tag === 'DBRef') return ENTER_DBREF;
  if (tag === 'BSONRegExp') return writeBsonRegExp(bytes, offset, key, value);
  if (tag === 'Int32') {
    return writeInt32(bytes, writeHeader(bytes, offset, INT32, key), value.valueOf());
  }
  if (tag === 'MinKey') return writeHeader(bytes, offset, MIN_KEY, key);
  if (tag === 'MaxKey') return writeHeader(bytes, offset, MAX_KEY, key);
  throw new BSONError(
    `key '${key}' holds an unknown _bsontype: ${String(value._bsontype)}; rename the field or use a value class of bson`,
  );
}

/** @type {(bytes: Buffer, offset: number, key: string, value: import('bson').Decimal128) => number} */
function writeDecimal128(bytes, offset, key, value) {
  const start = writeHeader(bytes, offset, DECIMAL128, key);
  for (let at = 0; at < DECIMAL128_BYTES; at++) bytes[start + at] = value.bytes[at];
  return start + DECIMAL128_BYTES;
}

/**
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {number} type
 * @param {string} key
 * @param {import('bson').Long} value a Long or Timestamp
 * @returns {number}
 */
function writeLong(bytes, offset, type, key, value) {
  const start = writeHeader(bytes, offset, type, key);
  writeInt32(bytes, start, value.getLowBits());
  return writeInt32(bytes, start + 4, value.getHighBits());
}

/**
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {import('bson').Code} value
 * @returns {number} offset after the element, or `ENTER_SCOPE`
 */
function writeCode(bytes, offset, key, value) {
  if (value.scope && typeof value.scope === 'object') return ENTER_SCOPE;
  return writeText(bytes, writeHeader(bytes, offset, CODE, key), value.code.toString());
}

/** @type {(bytes: Buffer, offset: number, key: string, value: import('bson').BSONRegExp) => number} */
function writeBsonRegExp(bytes, offset, key, value) {
  if (value.pattern.includes('\0')) {
    throw new BSONError(`the regular expression of key '${key}' holds a NUL byte in its pattern`);
  }
  let at = writeUtf8(bytes, writeHeader(bytes, offset, REGULAR_EXPRESSION, key), value.pattern);
  bytes[at++] = 0;
  at = writeUtf8(bytes, at, value.options.split('').sort().join(''));
  bytes[at++] = 0;
  return at;
}

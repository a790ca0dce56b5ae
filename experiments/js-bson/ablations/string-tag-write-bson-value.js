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
} from '../codec/element-types.js';
import { writeFloat64, writeInt32 } from '../codec/numbers.js';
import { writeObjectId } from '../codec/object-id.js';
import { BSONError, BSONVersionError } from '../codec/values.js';
import { writeBinary } from '../codec/write-bytes.js';
import { ENTER_DBREF, ENTER_SCOPE } from '../codec/write-container.js';
import { writeHeader, writeText, writeUtf8 } from '../codec/write-text.js';

/** Marks the major version of bson; value classes of others are rejected. */
const VERSION = Symbol.for('@@mdb.bson.version');
const MAJOR_VERSION = 7;

const DECIMAL128_BYTES = 16;

/**
 * Like `writeBsonValue` of the codec, but identifies the class by the property `_bsontype` instead
 * of the symbol `bsonType`, whose getter reads that property.
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
  const tag = value._bsontype;
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

/**
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {import('bson').Decimal128} value
 * @returns {number}
 */
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

/**
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {import('bson').BSONRegExp} value
 * @returns {number}
 */
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

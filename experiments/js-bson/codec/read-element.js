import {
  BINARY,
  BOOLEAN,
  CODE,
  DATE,
  DB_POINTER,
  DECIMAL128,
  DOUBLE,
  INT32,
  INT64,
  MAX_KEY,
  MIN_KEY,
  NULL,
  OBJECT_ID,
  REGULAR_EXPRESSION,
  STRING,
  SYMBOL,
  TIMESTAMP,
  UNDEFINED,
} from './element-types.js';
import { readFloat64, readInt32, readInt64 } from './numbers.js';
import { takeObjectId } from './object-id.js';
import { readBinary } from './read-binary.js';
import { readRegExp } from './read-regexp.js';
import { readText } from './read-string.js';
import { BSONError, BSONSymbol, Code, Int32, Double, Long, MaxKey, MinKey } from './values.js';
import { readDbPointer, readDecimal128, readTimestamp } from './read-bson-value.js';

/** @import { Reader } from './reader.js' */

const LARGEST_EXACT_INTEGER = new Long(0, 2 ** 21);
const SMALLEST_EXACT_INTEGER = new Long(0, -(2 ** 21));

/**
 * Reads the value of an element that is not a container; the traversal enters those.
 * @param {Reader} reader positioned after the key
 * @param {number} type see element-types.js
 * @param {string | number} name of the field, for the error
 * @param {boolean} validate whether invalid UTF-8 is an error
 * @returns {any}
 * @throws {BSONError}
 */
export function readElement(reader, type, name, validate) {
  switch (type) {
    case STRING:
      return readText(reader, validate);
    case OBJECT_ID:
      return takeObjectId(reader);
    case INT32:
      return takeInt32(reader);
    case DOUBLE:
      return takeDouble(reader);
    case DATE:
      return takeDate(reader);
    case BOOLEAN:
      return takeBoolean(reader);
    case UNDEFINED:
      return undefined;
    case NULL:
      return null;
    case INT64:
      return takeInt64(reader);
    case DECIMAL128:
      return readDecimal128(reader);
    case BINARY:
      return readBinary(reader);
    case REGULAR_EXPRESSION:
      return readRegExp(reader);
    case SYMBOL:
      return takeSymbol(reader, validate);
    case TIMESTAMP:
      return readTimestamp(reader);
    case MIN_KEY:
      return new MinKey();
    case MAX_KEY:
      return new MaxKey();
    case CODE:
      return new Code(readText(reader, validate));
    case DB_POINTER:
      return readDbPointer(reader, validate);
    default:
      throw new BSONError(`element type 0x${type.toString(16)} of field '${name}' is unknown`);
  }
}

/** @type {(reader: Reader) => number | Int32} */
function takeInt32(reader) {
  const value = readInt32(reader.bytes, reader.index);
  reader.index += 4;
  return reader.promoteValues === false ? new Int32(value) : value;
}

/** @type {(reader: Reader) => number | Double} */
function takeDouble(reader) {
  const value = readFloat64(reader.bytes, reader.index);
  reader.index += 8;
  return reader.promoteValues === false ? new Double(value) : value;
}

/** @type {(reader: Reader) => Date} */
function takeDate(reader) {
  return new Date(takeLong(reader).toNumber());
}

/** @type {(reader: Reader) => boolean} */
function takeBoolean(reader) {
  const byte = reader.bytes[reader.index++];
  if (byte !== 0 && byte !== 1) {
    throw new BSONError(`a boolean is 0 or 1, found ${byte} at byte ${reader.index - 1}`);
  }
  return byte === 1;
}

/** @type {(reader: Reader) => bigint | number | Long} */
function takeInt64(reader) {
  if (reader.useBigInt64) {
    const value = readInt64(reader.bytes, reader.index);
    reader.index += 8;
    return value;
  }
  const long = takeLong(reader);
  if (!reader.promoteLongs || reader.promoteValues !== true) return long;
  const isExact =
    long.lessThanOrEqual(LARGEST_EXACT_INTEGER) && long.greaterThanOrEqual(SMALLEST_EXACT_INTEGER);
  return isExact ? long.toNumber() : long;
}

/** @type {(reader: Reader) => Long} */
function takeLong(reader) {
  const low = readInt32(reader.bytes, reader.index);
  const high = readInt32(reader.bytes, reader.index + 4);
  reader.index += 8;
  return new Long(low, high);
}

/** @type {(reader: Reader, validate: boolean) => string | BSONSymbol} */
function takeSymbol(reader, validate) {
  const text = readText(reader, validate);
  return reader.promoteValues ? text : new BSONSymbol(text);
}

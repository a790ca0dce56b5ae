import {
  ARRAY,
  BINARY,
  BOOLEAN,
  CODE,
  CODE_WITH_SCOPE,
  DATE,
  DB_POINTER,
  DECIMAL128,
  DOUBLE,
  INT32,
  INT64,
  MAX_KEY,
  MIN_KEY,
  NULL,
  OBJECT,
  OBJECT_ID,
  REGULAR_EXPRESSION,
  STRING,
  SYMBOL,
  TIMESTAMP,
  UNDEFINED,
} from '../codec/element-types.js';
import { readInt32 } from '../codec/numbers.js';
import { IRREGULAR } from './make-element-picker.js';

/** By type, the bytes of a value, or those that its size, which it begins with, does not count; null for other types. */
const FIXED = byType([
  [[UNDEFINED, NULL, MIN_KEY, MAX_KEY], 0],
  [[BOOLEAN], 1],
  [[INT32], 4],
  [[DOUBLE, DATE, TIMESTAMP, INT64], 8],
  [[OBJECT_ID], 12],
  [[DECIMAL128], 16],
]);
const SIZED = byType([
  [[OBJECT, ARRAY, CODE_WITH_SCOPE], 0],
  [[STRING, CODE, SYMBOL], 4],
  [[BINARY], 5],
  [[DB_POINTER], 16],
]);

/** @type {(rows: [types: number[], bytes: number][]) => number[]} -1 for other types */
function byType(rows) {
  const table = new Array(256).fill(-1);
  for (const [types, bytes] of rows) for (const type of types) table[type] = bytes;
  return table;
}

/**
 * @param {Buffer} bytes
 * @param {number} type
 * @param {number} start of a value
 * @param {number} limit end of the document around it
 * @returns {number} where the value ends
 * @throws {unknown} if that is not before the limit
 */
export function endOfValue(bytes, type, start, limit) {
  let end = start + FIXED[type];
  if (end < start) {
    if (type === REGULAR_EXPRESSION)
      end = endOfKey(bytes, endOfKey(bytes, start, limit) + 1, limit) + 1;
    else if (SIZED[type] < 0) throw IRREGULAR;
    else {
      const size = readInt32(bytes, start);
      if (size < 0) throw IRREGULAR;
      end = start + size + SIZED[type];
    }
  }
  if (end >= limit) throw IRREGULAR;
  return end;
}

/**
 * @param {Buffer} bytes
 * @param {number} start of NUL-terminated text
 * @param {number} limit end of the document around it
 * @returns {number} index of the terminator
 * @throws {unknown} if there is none
 */
export function endOfKey(bytes, start, limit) {
  let end = start;
  while (end < limit && bytes[end] !== 0) end++;
  if (end >= limit - 1) throw IRREGULAR;
  return end;
}

/**
 * The values that all formats of the family carry, and how values before and after a round trip are compared.
 */

import { isDate } from 'node:util/types';
import { describeValue } from '../../../harness/worker/describe-value.js';

/** @import { ObjectId } from 'bson' */

/**
 * What becomes of a value, by row of the contract. A variant that breaks a row may return the same as for what
 * this makes of the value.
 * @type {Record<string, (value: unknown) => unknown>}
 */
const FOLDS = {
  dates: (value) => (isDate(value) ? value.toISOString() : value),
  'object-ids': (value) => (isObjectId(value) ? value.toHexString() : value),
  'missing-fields': (value) => dropProperties(value, isNull),
  'empty-arrays': (value) => dropProperties(value, isEmptyArray),
  'key-order': sortKeys,
  'plain-objects': (value) => (isRecord(value) ? { ...value } : value),
  'negative-zero': (value) => (Object.is(value, -0) ? 0 : value),
  'lone-surrogates': (value) => (typeof value === 'string' ? String(Buffer.from(value)) : value),
};

/** @type {(value: unknown) => value is ObjectId} by its mark, as of any copy of the library */
export function isObjectId(value) {
  return /** @type {any} */ (value)?._bsontype === 'ObjectId';
}

/** @type {(value: unknown) => value is Record<string, unknown>} an object with fields, of whatever class */
export function isRecord(value) {
  if (typeof value !== 'object' || value === null || isObjectId(value)) return false;
  return Object.prototype.toString.call(value) === '[object Object]';
}

/**
 * Whether every format of the family carries a value, if only as another one: a string, finite number, boolean,
 * null, date, ObjectId, or an array or object of these.
 * @param {unknown} value
 * @param {string[]} [others] further classes of BSON that are permitted
 * @returns {boolean}
 */
export function isCarried(value, others = []) {
  if (Array.isArray(value)) return value.every((inner) => isCarried(inner, others));
  if (isRecord(value)) {
    const { _bsontype: name } = value;
    if (typeof name === 'string') return others.includes(name);
    return Object.values(value).every((inner) => isCarried(inner, others));
  }
  if (typeof value === 'number') return Number.isFinite(value);
  return (
    value === null ||
    ['string', 'boolean'].includes(typeof value) ||
    isDate(value) ||
    isObjectId(value)
  );
}

/**
 * Describes what came back of a value: as that value if nothing differs but what the variant declares.
 * @param {unknown} sent
 * @param {unknown} received
 * @param {Record<string, string>} breaks rows of the contract that the variant breaks
 * @returns {Uint8Array}
 */
export function describeRoundTrip(sent, received, breaks) {
  const folds = Object.keys(FOLDS).filter((row) => row in breaks);
  const [before, after] = [sent, received].map((value) => describeValue(foldTree(value, folds)));
  return Buffer.from(describeValue(before === after ? sent : received));
}

/**
 * @param {unknown} value
 * @param {string[]} folds
 * @returns {unknown} a copy with every fold applied to every value, inner ones first
 */
function foldTree(value, folds) {
  return folds.reduce((folded, row) => FOLDS[row](folded), copyWith(value, folds));
}

/** @type {(value: unknown, folds: string[]) => unknown} */
function copyWith(value, folds) {
  if (Array.isArray(value)) return value.map((inner) => foldTree(inner, folds));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, foldTree(inner, folds)]);
  return Object.setPrototypeOf(Object.fromEntries(entries), Object.getPrototypeOf(value));
}

/** @type {(value: unknown, isDropped: (inner: unknown) => boolean) => unknown} */
function dropProperties(value, isDropped) {
  if (!isRecord(value)) return value;
  for (const key of Object.keys(value)) if (isDropped(value[key])) delete value[key];
  return value;
}

/** @type {(value: unknown) => unknown} */
function sortKeys(value) {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.setPrototypeOf(Object.fromEntries(entries), Object.getPrototypeOf(value));
}

/** @type {(value: unknown) => boolean} */
function isNull(value) {
  return value === null;
}

/** @type {(value: unknown) => boolean} */
function isEmptyArray(value) {
  return Array.isArray(value) && value.length === 0;
}

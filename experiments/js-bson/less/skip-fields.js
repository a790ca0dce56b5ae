import { END_OF_DOCUMENT, OBJECT } from '../codec/element-types.js';
import { readInt32 } from '../codec/numbers.js';
import { endOfKey, endOfValue } from './end-of-value.js';
import { DOLLAR, IRREGULAR } from './make-element-picker.js';

/** @import { FindElements, Found } from './make-element-picker.js' */

/**
 * A key that is wanted.
 * @typedef {object} Wanted
 * @property {Buffer} key
 * @property {number[]} fields paths that end with it
 * @property {Wanted[]} inner keys of its document
 */

/**
 * Makes the search that passes over the elements of a document once, and of those inner documents alone that hold a field.
 * It goes on to the end of each, because of a key that repeats the last value counts.
 * @type {(paths: Buffer[][]) => FindElements}
 */
export function makeSkippingFinder(paths) {
  const wanted = listWanted(paths.map((rest, field) => ({ field, rest })));
  return function findElements(bytes, found) {
    walk(bytes, 0, bytes.length, wanted, found);
  };
}

/** @type {(paths: { field: number, rest: Buffer[] }[]) => Wanted[]} */
function listWanted(paths) {
  /** @type {Map<string, { field: number, rest: Buffer[] }[]>} */
  const byKey = new Map();
  for (const { field, rest } of paths) {
    const key = String(rest[0]);
    byKey.set(key, [...(byKey.get(key) ?? []), { field, rest: rest.slice(1) }]);
  }
  return [...byKey].map(([key, all]) => ({
    key: Buffer.from(key),
    fields: all.filter(({ rest }) => rest.length === 0).map(({ field }) => field),
    inner: listWanted(all.filter(({ rest }) => rest.length > 0)),
  }));
}

/**
 * @param {Buffer} bytes
 * @param {number} start of the document
 * @param {number} limit which it must not exceed
 * @param {Wanted[]} wanted
 * @param {Found} found
 */
function walk(bytes, start, limit, wanted, found) {
  const end = start + readInt32(bytes, start);
  if (end < start + 5 || end > limit) throw IRREGULAR;
  let at = start + 4;
  for (;;) {
    const type = bytes[at++];
    if (type === END_OF_DOCUMENT) break;
    if (bytes[at] === DOLLAR) throw IRREGULAR;
    const keyEnd = endOfKey(bytes, at, end);
    const match = findWanted(bytes, at, keyEnd - at, wanted);
    at = endOfValue(bytes, type, keyEnd + 1, end);
    if (match === null) continue;
    forget(match, found);
    for (const field of match.fields) {
      found.types[field] = type;
      found.starts[field] = keyEnd + 1;
    }
    if (type === OBJECT && match.inner.length > 0) walk(bytes, keyEnd + 1, at, match.inner, found);
  }
  if (at !== end) throw IRREGULAR;
}

/** @type {(bytes: Buffer, start: number, length: number, wanted: Wanted[]) => Wanted | null} */
function findWanted(bytes, start, length, wanted) {
  for (let index = 0; index < wanted.length; index++) {
    const { key } = wanted[index];
    if (key.length === length && isAt(bytes, start, key)) return wanted[index];
  }
  return null;
}

/** @type {(bytes: Buffer, start: number, key: Buffer) => boolean} whether a key of its length is this one */
export function isAt(bytes, start, key) {
  for (let index = 0; index < key.length; index++) {
    if (bytes[start + index] !== key[index]) return false;
  }
  return true;
}

/** Forgets what was found in an earlier document of the same key. @param {Wanted} wanted @param {Found} found */
function forget({ inner }, found) {
  for (const each of inner) {
    for (const field of each.fields) found.types[field] = 0;
    forget(each, found);
  }
}

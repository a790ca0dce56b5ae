import { BSONError } from './values.js';

// Keys are NUL-terminated, so they cannot contain a NUL.
// eslint-disable-next-line no-control-regex
const NUL = /\x00/;

/** Keys of DBRefs and driver commands, which need no check. */
const KNOWN_DOLLAR_KEYS = new Set(['$db', '$ref', '$id', '$clusterTime']);

/**
 * Rejects a key of an object or Map that cannot or, with `strict`, must not be written. Keys that
 * are not strings (Maps only) pass; writing them fails.
 * @param {unknown} key
 * @param {boolean} strict the option `checkKeys`
 * @throws {BSONError}
 */
export function checkKey(key, strict) {
  if (typeof key !== 'string' || (key[0] === '$' && KNOWN_DOLLAR_KEYS.has(key))) return;
  if (NUL.test(key)) {
    throw new BSONError(`key ${JSON.stringify(key)} holds a NUL byte, which BSON keys must not`);
  }
  if (strict) checkStrictKey(key);
}

/** @param {string} key */
function checkStrictKey(key) {
  if (key[0] === '$') throw new BSONError(`key '${key}' starts with '$', refused by checkKeys`);
  if (key.includes('.')) throw new BSONError(`key '${key}' holds a '.', refused by checkKeys`);
}

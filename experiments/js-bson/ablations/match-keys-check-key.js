import { BSONError } from '../codec/values.js';

// Keys are NUL-terminated, so they cannot contain a NUL.
// eslint-disable-next-line no-control-regex
const NUL = /\x00/;

/** Keys of DBRefs and driver commands, which need no check. */
const KNOWN_DOLLAR_KEYS = new Set(['$db', '$ref', '$id', '$clusterTime']);

/**
 * Like `checkKey` of the codec, but searches for NUL with `key.match`, as before js-bson #890.
 * @param {unknown} key
 * @param {boolean} strict the option `checkKeys`
 * @throws {BSONError}
 */
export function checkKey(key, strict) {
  if (typeof key !== 'string' || (key[0] === '$' && KNOWN_DOLLAR_KEYS.has(key))) return;
  if (key.match(NUL) != null) {
    throw new BSONError(`key ${JSON.stringify(key)} holds a NUL byte, which BSON keys must not`);
  }
  if (strict) checkStrictKey(key);
}

/**
 * @param {string} key
 */
function checkStrictKey(key) {
  if (key[0] === '$') throw new BSONError(`key '${key}' starts with '$', refused by checkKeys`);
  if (key.includes('.')) throw new BSONError(`key '${key}' holds a '.', refused by checkKeys`);
}

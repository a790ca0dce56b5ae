import { BSONError } from '../codec/values.js';

// Keys are NUL-terminated, so they cannot contain a NUL.
// eslint-disable-next-line no-control-regex
const NUL = /\x00/;

/** Keys of DBRefs and driver commands, which need no check. */
const KNOWN_DOLLAR_KEYS = new Set(['$db', '$ref', '$id', '$clusterTime']);

/**
 * Like `checkKey` of the codec, but does not check that the key is a string, as in one commit of
 * js-bson #890 that a later one reverted. Other keys (Maps only) fail here or when written.
 * @param {any} key
 * @param {boolean} strict the option `checkKeys`
 * @throws {BSONError}
 * @throws {TypeError} if the key is not a string
 */
export function checkKey(key, strict) {
  if (key[0] === '$' && KNOWN_DOLLAR_KEYS.has(key)) return;
  if (NUL.test(key)) {
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

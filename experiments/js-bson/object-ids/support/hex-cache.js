/**
 * Hex texts of ids whose class has `cacheHexString` on, outside of the ids, so that ids with and
 * without a cached text remain equal. Source: bson 7.3.1.
 * @type {WeakMap<object, string>}
 */
const texts = new WeakMap();

/** @type {(id: object) => string | undefined} undefined if none is cached */
export function recallHex(id) {
  return texts.get(id);
}

/**
 * @param {object} id
 * @param {string} hex in lower case
 * @returns {string} the same text
 */
export function rememberHex(id, hex) {
  texts.set(id, hex);
  return hex;
}

/**
 * Hex texts of ids whose class has `cacheHexString` on, beside the ids and not in them, so that ids
 * with and without a remembered text stay equal. Source of the means: bson 7.3.1.
 * @type {WeakMap<object, string>}
 */
const texts = new WeakMap();

/**
 * @param {object} id
 * @returns {string | undefined} undefined where none is remembered
 */
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

/**
 * Hex texts that differ from an id's in one digit each, wherever that may be.
 *
 * @param {any} id
 * @returns {string[]}
 */
export function listUnequalTexts(id) {
  const text = id.toHexString();
  return Array.from(text, function changeDigit(digit, at) {
    return replaceAt(text, at, digit === '0' ? '1' : '0');
  });
}

/**
 * A text of the same length with one character that is not hex, at a position that depends on the
 * index.
 *
 * @param {string} text
 * @param {number} index
 * @returns {string} flat
 */
export function spoilText(text, index) {
  const spoilt = replaceAt(text, index % text.length, 'g');
  return Buffer.from(spoilt).toString('latin1');
}

/**
 * @param {string} text
 * @param {number} at
 * @param {string} character
 * @returns {string}
 */
function replaceAt(text, at, character) {
  return `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
}

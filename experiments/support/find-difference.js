/**
 * Where two outputs part, in words.
 *
 * @typedef {object} Explanation
 * @property {string} path Of the element, or `(whole document)`.
 * @property {string} expected One line.
 * @property {string} found One line.
 */

/**
 * First byte in which two arrays differ.
 *
 * @param {Uint8Array} expected
 * @param {Uint8Array} found
 * @param {number} from Offset to begin at.
 * @returns {number | null} Offset of the first difference at or after `from`; the end of the
 *   shorter one where only the lengths differ; null where nothing does.
 */
export function findDifference(expected, found, from) {
  const shorter = Math.min(expected.length, found.length);
  for (let offset = from; offset < shorter; offset++) {
    if (expected[offset] !== found[offset]) return offset;
  }
  return expected.length === found.length ? null : Math.max(from, shorter);
}

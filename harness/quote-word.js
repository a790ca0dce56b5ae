const HARMLESS = /^[\w@%+=:,./-]+$/;

/**
 * A word as a shell takes it whole, whatever it holds.
 *
 * @param {string} word
 * @returns {string} quoted where it must be
 */
export function quoteWord(word) {
  return HARMLESS.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

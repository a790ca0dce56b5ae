const HARMLESS = /^[\w@%+=:,./-]+$/;

/**
 * A command that a shell takes apart into these words again, whatever they hold.
 *
 * @param {string[]} words
 * @returns {string} each quoted where it must be
 */
export function quoteWords(words) {
  return words
    .map((word) => (HARMLESS.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

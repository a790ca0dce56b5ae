import { showInvisible } from '../../lib/escape.js';
import { FormatError } from '../../lib/errors.js';

const SHOWN_LENGTH = 200;

/**
 * Ends a replay before anything has run.
 *
 * @param {string} what is wrong with the report
 * @param {string} [remedy]
 * @returns {never}
 * @throws {FormatError}
 */
export function refuse(
  what,
  remedy = 'ask for the report as Assay wrote it; nothing of it was run',
) {
  throw new FormatError(`the report is refused: ${what}`, { remedy });
}

/**
 * Text of a report as a message may hold it: one line that steers no terminal, in quotes.
 *
 * @param {string} text
 * @returns {string}
 */
export function quoteText(text) {
  const shown = showInvisible(text);
  return `'${shown.length <= SHOWN_LENGTH ? shown : `${shown.slice(0, SHOWN_LENGTH)}…`}'`;
}

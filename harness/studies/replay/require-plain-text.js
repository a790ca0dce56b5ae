import { showInvisible } from '../../lib/escape.js';
import { quoteText, refuse } from './refuse.js';

/** Levels of objects and lists; a record has six. */
const MAX_DEPTH = 12;
/** Characters of a text; an honest command, path or name is far shorter. */
const MAX_LENGTH = 2_000;
/** The one thing that may take several lines. It is shown escaped. */
const COMMAND_KEY = 'build';

/**
 * Refuses a value in which a text could steer a terminal, hide what it says or fill the screen, so
 * that no message needs to fear what it quotes, and one nested deeper than any record is.
 *
 * @param {unknown} value parsed JSON
 * @param {string} [key] under which it stands
 * @param {number} [depth]
 * @throws {import('../../lib/errors.js').FormatError} naming the place
 */
export function requirePlainText(value, key = '', depth = 0) {
  if (depth > MAX_DEPTH) refuse(`it is nested more than ${MAX_DEPTH} levels deep`);
  if (typeof value === 'string') {
    checkText(value, key);
  } else if (Array.isArray(value)) {
    for (const inner of value) requirePlainText(inner, key, depth + 1);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      checkText(name, 'a key');
      requirePlainText(inner, name, depth + 1);
    }
  }
}

/**
 * @param {string} text
 * @param {string} key
 */
function checkText(text, key) {
  if (text.length > MAX_LENGTH) {
    refuse(`${quoteText(key)} has a text of ${text.length} characters, more than ${MAX_LENGTH}`);
  }
  if (key === COMMAND_KEY || showInvisible(text) === text) return;
  refuse(`${quoteText(key)} has characters that are not shown: ${quoteText(text)}`);
}

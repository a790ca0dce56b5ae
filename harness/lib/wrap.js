/** Breaks text into lines that fit. */

import { displayWidth } from './display-width.js';

/** Words of a shell command, with quotes and backslash escapes. */
const COMMAND_WORDS = /(?:\\.|[^\s'"\\]|'[^']*'|"[^"]*"|['"\\])+/g;
/**
 * Words of prose. A command at the start or after a colon is one word, up to a comma, a semicolon or a
 * bracket; so is a text in single quotes, such as a path.
 */
const PROSE_WORDS =
  /(?:^|(?<=: ))(?:just|npm|npx|apt-get|cargo|git|sudo|echo) .*?(?:[,;)]+(?= |$)|$)|\(?'[^']+'[^ ]*|[^ ]+/g;

/**
 * Breaks a text at spaces into lines of at most `width` columns. A no-break space joins its neighbours
 * and becomes a plain space. A word that is longer than a line stays whole, so that it can be copied.
 *
 * @param {string} text
 * @param {number} width columns, indents included.
 * @param {{ first?: string, next?: string }} [indents] of the first line and the others
 * @returns {string[]} at least one line
 */
export function wrapText(text, width, indents) {
  const lines = fillLines(text.match(PROSE_WORDS) ?? [], width, indents);
  return lines.map((line) => line.replaceAll('\u00a0', ' '));
}

/**
 * Breaks a command between its arguments with backslashes, so that it can be pasted into a shell.
 *
 * @param {string} command
 * @param {number} width columns, indents included.
 * @param {{ first?: string, next?: string }} [indents]
 * @returns {string[]}
 */
export function wrapCommand(command, width, indents) {
  const words = command.match(COMMAND_WORDS) ?? [];
  const lines = fillLines(words, width - ' \\'.length, indents);
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}

/**
 * @param {string[]} words
 * @param {number} width columns
 * @param {{ first?: string, next?: string }} [indents]
 * @returns {string[]} at least one line
 */
function fillLines(words, width, { first = '', next = ' '.repeat(displayWidth(first)) } = {}) {
  const room = width - Math.max(displayWidth(first), displayWidth(next));
  const lines = [words[0] ?? ''];
  for (const word of words.slice(1)) {
    const joined = `${lines.at(-1)} ${word}`;
    if (displayWidth(joined) <= room) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines.map((line, index) => (index === 0 ? first : next) + line);
}

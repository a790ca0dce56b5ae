/** Breaks text into lines that fit. */

import { displayWidth, takeColumns } from './display-width.js';

/** Words of a shell command. Outside of quotes a backslash takes the character after it along. */
const QUOTED_WORDS = /(?:\\.|[^\s'"\\]|'[^']*'|"[^"]*"|['"\\])+/g;

/**
 * Breaks a text at spaces into lines of at most `width` columns. A no-break space keeps its
 * neighbours together and is printed as a plain space. Words longer than a line are cut.
 *
 * @param {string} text
 * @param {number} width columns, indents included.
 * @param {{ first?: string, next?: string }} [indents] What the first and the further lines begin
 *   with.
 * @returns {string[]} At least one line.
 */
export function wrapText(text, width, indents = {}) {
  const first = indents.first ?? '';
  const next = indents.next ?? ' '.repeat(displayWidth(first));
  const room = Math.max(1, width - Math.max(displayWidth(first), displayWidth(next)));
  const words = text.split(' ').filter((word) => word !== '');
  const lines = fillLines(words, room);
  return lines.map((line, index) => (index === 0 ? first : next) + line.replaceAll('\u00a0', ' '));
}

/**
 * @param {string[]} words
 * @param {number} room columns.
 * @returns {string[]}
 */
function fillLines(words, room) {
  const lines = [''];
  for (const word of words) {
    const last = lines[lines.length - 1] ?? '';
    const joined = last === '' ? word : `${last} ${word}`;
    if (displayWidth(joined) <= room) {
      lines[lines.length - 1] = joined;
    } else {
      if (last === '') lines.pop();
      lines.push(...cutWord(word, room));
    }
  }
  return lines;
}

/**
 * @param {string} word
 * @param {number} room columns.
 * @returns {string[]}
 */
function cutWord(word, room) {
  const pieces = [];
  let rest = word;
  while (displayWidth(rest) > room) {
    // A double-width character in one column of room is taken all the same, to come to an end.
    const piece = takeColumns(rest, room) || ([...rest][0] ?? '');
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  if (rest !== '' || pieces.length === 0) pieces.push(rest);
  return pieces;
}

/**
 * Breaks a command between its arguments, each line but the last ending in a backslash, so that it
 * can still be pasted into a shell.
 *
 * @param {string} command
 * @param {number} width columns, indents included.
 * @param {{ first: string, next: string }} indents
 * @returns {string[]}
 */
export function wrapCommand(command, width, indents) {
  const words = (command.match(QUOTED_WORDS) ?? []).map((word) => word.replaceAll(' ', '\u00a0'));
  const lines = wrapText(words.join(' '), width - ' \\'.length, indents);
  return lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line));
}

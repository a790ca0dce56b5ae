/** Text in terminal columns: its width, padding, shortening and wrapping. */

const WIDE_RANGES = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];
const WIDE_EMOJI = /^\p{Emoji_Presentation}$/u;
const COMBINING = /^[\p{Mn}\p{Me}]$/u;
// Turns the character before it into an emoji, which some terminals draw two columns wide.
const EMOJI_SELECTOR = '\ufe0f';

/**
 * Columns that a terminal uses for a text without ANSI sequences; if in doubt, one too many. By Unicode
 * Standard Annex 11 (East Asian Width), with ambiguous characters counted as one.
 * @type {(text: string) => number}
 */
export function displayWidth(text) {
  let columns = 0;
  for (const character of text) columns += characterWidth(character);
  return columns;
}

/** @param {string} character one code point @returns {number} */
function characterWidth(character) {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x300) return 1;
  if (character === EMOJI_SELECTOR) return 1;
  if (COMBINING.test(character)) return 0;
  if (WIDE_RANGES.some(([low, high]) => codePoint >= low && codePoint <= high)) return 2;
  return WIDE_EMOJI.test(character) ? 2 : 1;
}

/**
 * Pads a text with spaces to a number of columns; longer texts stay as they are.
 *
 * @param {string} text
 * @param {number} width columns
 * @param {'left' | 'right'} align of the text
 * @returns {string}
 */
export function padToWidth(text, width, align) {
  const padding = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + padding : padding + text;
}

/**
 * The longest prefix of a text that fits into a number of columns.
 *
 * @param {string} text
 * @param {number} width columns
 * @returns {string}
 */
export function takeColumns(text, width) {
  let taken = '';
  let columns = 0;
  for (const character of text) {
    columns += characterWidth(character);
    if (columns > width) break;
    taken += character;
  }
  return taken;
}

/**
 * Shortens a text to a number of columns with an ellipsis in the middle, because related names differ at
 * either end (`flat@deserialized`).
 *
 * @param {string} text
 * @param {number} width columns
 * @returns {string}
 */
export function shortenMiddle(text, width) {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return '';
  const head = takeColumns(text, Math.ceil((width - 1) / 2));
  const reversed = [...text].reverse().join('');
  const tail = takeColumns(reversed, Math.floor((width - 1) / 2));
  return `${head}…${[...tail].reverse().join('')}`;
}

/**
 * Shortens a text to a number of columns with an ellipsis after its last whole word.
 *
 * @param {string} text
 * @param {number} width columns
 * @returns {string}
 */
export function shortenEnd(text, width) {
  if (displayWidth(text) <= width) return text;
  const taken = takeColumns(text, width - 1);
  const isWhole = /[\s,;:.]/.test(text.charAt(taken.length)) || !taken.includes(' ');
  const words = isWhole ? taken : taken.slice(0, taken.lastIndexOf(' '));
  return `${words.replace(/[\s,;:.]+$/, '')}…`;
}

/** Words of a shell command, with quotes and backslash escapes. */
const COMMAND_WORDS = /(?:\\.|[^\s'"\\]|'[^']*'|"[^"]*"|['"\\])+/g;
/**
 * Words of prose. A command at the start or after a colon is one word, up to a comma, a semicolon or a
 * bracket; so is a text in single quotes, such as a path.
 */
const PROSE_WORDS =
  /(?:^|(?<=: ))(?:just|npm|npx|apt-get|cargo|git|sudo|echo|iconv|zstd|xz|perf script -i) .*?(?:[,;)]+(?= |$)|$)|\(?'[^']+'[^ ]*|[^ ]+/g;

/**
 * Breaks a text at spaces into lines of at most `width` columns. A no-break space joins its neighbours
 * and becomes a plain space. A word that is longer than a line stays whole, so that it can be copied.
 *
 * @param {string} text
 * @param {number} width columns, indents included
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
 * @param {number} width columns, indents included
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

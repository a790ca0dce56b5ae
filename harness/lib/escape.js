/**
 * Makes foreign text harmless. Names, paths and error texts come from users, packages and crashing
 * workers; whatever they hold, it must neither steer a terminal nor act as markup in a pull
 * request. Every renderer takes its escapes from here.
 */

// Cc: control, ESC among them. Cf: bidi overrides, zero-width and tag characters. Cs: lone
// surrogates. Zl, Zp: the separators that some terminals and browsers take for line ends.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
// Between its tokens JSON has line ends, which stay.
const INVISIBLE_IN_JSON = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const LARGEST_TEXT_LENGTH = 4000;
const LARGEST_RUN_ID_LENGTH = 200;
const SHORT_ESCAPES = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
const MARKDOWN_PUNCTUATION = /[\\`*_[\]<>&|~$]/g;
// What GitHub turns into mentions, issue and commit links, web links and emoji after Markdown has
// been read, so that a backslash does not help; within a code span it leaves them alone.
const AUTOLINKED = /[@#]|:\/\/|www\.|:[\w+-]+:|[0-9a-f]{7}|gh-\d/i;

/**
 * Replaces control, ANSI, bidi and other invisible characters by visible escapes (`\n`,
 * `\u{202e}`). The result is one line.
 *
 * @param {string} text
 * @returns {string}
 */
export function showInvisible(text) {
  return text.replace(INVISIBLE, escapeCharacter);
}

/**
 * @param {string} character
 * @returns {string}
 */
function escapeCharacter(character) {
  const codePoint = character.codePointAt(0) ?? 0;
  return SHORT_ESCAPES.get(character) ?? `\\u{${codePoint.toString(16).padStart(2, '0')}}`;
}

/**
 * A copy of a JSON-like value in which every string, keys too, went through `showInvisible` and was
 * cut at a length that no honest name or text reaches. Renderers begin with it, so that no string
 * can be forgotten. A key is still that of the text that it was.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function showInvisibleDeeply(value) {
  if (typeof value === 'string') return /** @type {T} */ (showText(value));
  if (Array.isArray(value)) return /** @type {T} */ (value.map(showInvisibleDeeply));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    showText(key),
    showInvisibleDeeply(inner),
  ]);
  return Object.fromEntries(entries);
}

/**
 * @param {string} text
 * @returns {string}
 */
function showText(text) {
  const shown = showInvisible(text);
  return shown.length <= LARGEST_TEXT_LENGTH ? shown : `${shown.slice(0, LARGEST_TEXT_LENGTH)}…`;
}

/**
 * JSON that means the same and steers no terminal: `JSON.stringify` escapes what is below U+0020 and
 * lone surrogates, and leaves other control, bidirectional and invisible characters as they are.
 *
 * @param {string} json text of JSON, over several lines or on one
 * @returns {string}
 */
export function escapeJson(json) {
  return json.replace(INVISIBLE_IN_JSON, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/**
 * A Markdown code span holding exactly this text, safe in table rows as well. A pipe is shown as
 * `\u{7c}`, because renderers disagree on pipes in code spans in tables.
 *
 * @param {string} text
 * @returns {string}
 */
export function codeSpan(text) {
  const shown = showInvisible(text).replaceAll('|', '\\u{7c}');
  if (shown.trim() === '') return '(empty)';
  const fence = '`'.repeat(longestRun(shown, '`') + 1);
  const padding = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return fence + padding + shown + padding + fence;
}

/**
 * A sentence as Markdown prose in which nothing acts as markup. Words that GitHub would link
 * (mentions, issue numbers, addresses, commit hashes) become code spans. White space is collapsed.
 *
 * @param {string} text
 * @returns {string}
 */
export function escapeProse(text) {
  const words = showInvisible(text)
    .split(' ')
    .filter((word) => word !== '');
  return words.map((word, index) => escapeWord(word, index === 0)).join(' ');
}

/**
 * @param {string} word
 * @param {boolean} isFirst whether the word could open a list, a heading or a quotation.
 * @returns {string}
 */
function escapeWord(word, isFirst) {
  if (AUTOLINKED.test(word)) return codeSpan(word);
  const escaped = word.replace(MARKDOWN_PUNCTUATION, '\\$&');
  if (!isFirst) return escaped;
  return escaped.replace(/^[-+=]/, '\\$&').replace(/^(\d+)([.)])$/, '$1\\$2');
}

/**
 * A fenced Markdown code block. Line ends stay line ends, other invisible characters are shown.
 *
 * @param {string} text
 * @param {string} language as GitHub knows it, `sh` or `text`.
 * @returns {string}
 */
export function codeBlock(text, language) {
  const lines = text.split('\n').map(showInvisible);
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
  return [fence + language, ...lines, fence].join('\n');
}

/**
 * A hidden Markdown line by which a program finds its own comment again.
 *
 * @param {string} runId characters outside letters, digits, `.`, `_` and `-` become `_`.
 * @returns {string}
 */
export function hiddenMarker(runId) {
  return `<!-- assay:run ${runId.slice(0, LARGEST_RUN_ID_LENGTH).replace(/[^\w.-]/g, '_')} -->`;
}

/**
 * @param {string} text
 * @param {string} character
 * @returns {number}
 */
function longestRun(text, character) {
  let longest = 0;
  let current = 0;
  for (const found of text) {
    current = found === character ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

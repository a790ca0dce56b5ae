/**
 * Escapes untrusted text. Names, paths and error messages come from users, packages and crashed
 * workers. They must not control a terminal or act as markup in a pull request.
 */

// Cc: control, ESC among them. Cf: bidi overrides, zero-width and tag characters. Cs: lone
// surrogates. Zl, Zp: the separators that some terminals and browsers take for line ends.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
// JSON has line ends between its tokens, which stay.
const INVISIBLE_IN_JSON = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const MAX_TEXT_LENGTH = 4000;
const MAX_RUN_ID_LENGTH = 200;
const SHORT_ESCAPES = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
const MARKDOWN_PUNCTUATION = /[\\`*_[\]<>&|~$]/g;
// What GitHub turns into mentions, issue and commit links, web links and emoji after parsing Markdown, so
// that backslashes have no effect; code spans do.
const AUTOLINKED = /[@#]|:\/\/|www\.|:[\w+-]+:|[0-9a-f]{7}|gh-\d/i;

/** Punctuation that Markdown does not interpret, around what has to be code; without a limit, long runs of it would take long. */
const SURROUNDED = /^([("']{0,9})(.*?)([)"',.;:!?]{0,9})$/su;

/**
 * Replaces control, bidi and other invisible characters with visible escapes (`\n`, `\u{202e}`), so that
 * the result is a single line.
 * @type {(text: string) => string}
 */
export function escapeControl(text) {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** @type {(character: string) => string} */
function escapeCharacter(character) {
  const codePoint = character.codePointAt(0) ?? 0;
  return SHORT_ESCAPES.get(character) ?? `\\u{${codePoint.toString(16).padStart(2, '0')}}`;
}

/**
 * A copy of a JSON-like value in which `escapeControl` was applied to every string, keys included, and
 * overlong strings were cut. Renderers start with it, so that no string can be forgotten.
 *
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function escapeControlDeeply(value) {
  if (typeof value === 'string') return /** @type {T} */ (showText(value));
  if (Array.isArray(value)) return /** @type {T} */ (value.map(escapeControlDeeply));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    showText(key),
    escapeControlDeeply(inner),
  ]);
  return Object.fromEntries(entries);
}

/** @type {(text: string) => string} */
function showText(text) {
  const shown = escapeControl(text);
  return shown.length <= MAX_TEXT_LENGTH ? shown : `${shown.slice(0, MAX_TEXT_LENGTH)}…`;
}

/**
 * Escapes the control, bidirectional and invisible characters that `JSON.stringify` leaves in JSON, so
 * that it cannot control a terminal. The value stays the same.
 *
 * @param {string} json on one line or several
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
 * A Markdown code span with exactly this text, safe in table rows as well. A pipe becomes `\u{7c}`,
 * because renderers disagree on pipes in code spans in tables.
 * @type {(text: string) => string}
 */
export function codeSpan(text) {
  const shown = escapeControl(text).replaceAll('|', '\\u{7c}');
  if (shown.trim() === '') return '(empty)';
  const fence = '`'.repeat(longestRun(shown, '`') + 1);
  const padding = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return fence + padding + shown + padding + fence;
}

/**
 * Escapes a sentence as Markdown prose. Words that GitHub would link (mentions, issue numbers,
 * addresses, commit hashes) become code spans. White space is collapsed.
 * @type {(text: string) => string}
 */
export function escapeProse(text) {
  const words = escapeControl(text)
    .split(' ')
    .filter((word) => word !== '');
  return words.map((word, index) => escapeWord(word, index === 0)).join(' ');
}

/**
 * @param {string} word
 * @param {boolean} isFirst whether the word could start a list, a heading or a quotation
 * @returns {string}
 */
function escapeWord(word, isFirst) {
  if (AUTOLINKED.test(word)) {
    const [, before, core, after] = /** @type {RegExpExecArray} */ (SURROUNDED.exec(word));
    if (!AUTOLINKED.test(core)) return codeSpan(word);
    return `${before}${codeSpan(core)}${after}`;
  }
  const escaped = word.replace(MARKDOWN_PUNCTUATION, '\\$&');
  if (!isFirst) return escaped;
  return escaped.replace(/^[-+=]/, '\\$&').replace(/^(\d+)([.)])$/, '$1\\$2');
}

/**
 * A fenced Markdown code block. Line ends stay, other invisible characters are escaped.
 *
 * @param {string} text
 * @param {string} language as GitHub names it, `sh` or `text`
 * @returns {string}
 */
export function codeBlock(text, language) {
  const lines = text.split('\n').map(escapeControl);
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
  return [fence + language, ...lines, fence].join('\n');
}

/**
 * A hidden Markdown line by which a program recognises its own comment.
 *
 * @param {string} runId characters outside letters, digits, `.`, `_` and `-` become `_`
 * @returns {string}
 */
export function hiddenMarker(runId) {
  return `<!-- assay:run ${runId.slice(0, MAX_RUN_ID_LENGTH).replace(/[^\w.-]/g, '_')} -->`;
}

/** @type {(text: string, character: string) => number} */
function longestRun(text, character) {
  let longest = 0;
  let current = 0;
  for (const found of text) {
    current = found === character ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}

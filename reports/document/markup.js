/**
 * HTML in which nothing foreign can act as markup: text that goes through the template `markup` is
 * escaped unless it is markup already.
 */

import { escapeControl } from '../../harness/lib/escape.js';

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);
// Invisible characters cannot occur in text that was shown, so they can mark where names begin and end.
const NAME_START = '\u0001';
const NAME_END = '\u0002';

/** HTML that is safe to put into a page as it is. */
export class Markup {
  /** @param {string} text HTML in which everything foreign has been escaped */
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** @typedef {Markup | string | number | null | Content[]} Content what a template takes */

/** Nothing at all. */
export const NOTHING = new Markup('');

/**
 * Template of HTML. Strings are escaped, markup and lists of it are put in as they are, null is
 * nothing.
 *
 * @param {TemplateStringsArray} strings
 * @param {...Content} values
 * @returns {Markup}
 */
export function markup(strings, ...values) {
  const parts = strings.map((text, index) => text + toHtml(values[index] ?? null));
  return new Markup(parts.join(''));
}

/**
 * @param {Content} value
 * @returns {string}
 */
function toHtml(value) {
  if (value === null) return '';
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(toHtml).join('');
  return escapeHtml(String(value));
}

/**
 * Text for a page, between tags or in a quoted attribute. Characters that do not show become
 * visible escapes.
 *
 * @param {string} text
 * @returns {string}
 */
export function escapeHtml(text) {
  return escapeControl(text).replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? '');
}

/**
 * Blocks of a page below each other.
 *
 * @param {Content[]} blocks
 * @returns {Markup}
 */
export function joinBlocks(blocks) {
  const texts = blocks.map(toHtml).filter((text) => text !== '');
  return new Markup(texts.join('\n'));
}

/**
 * A name as code, which may be broken after `@` and `/` where space is short.
 *
 * @param {string} name
 * @returns {Markup}
 */
export function codeName(name) {
  if (name.trim() === '') return markup`<code>(empty)</code>`;
  return new Markup(`<code>${escapeHtml(name).replace(/[@/](?=.)/g, '$&<wbr>')}</code>`);
}

/**
 * Marks a name within a sentence that is still to be escaped: the quotation for `verdictSentence`
 * and its like, whose result goes through `withNames`.
 *
 * @param {string} name
 * @returns {string}
 */
export function markName(name) {
  return NAME_START + escapeControl(name) + NAME_END;
}

/**
 * A sentence with its marked names as code.
 *
 * @param {string} sentence
 * @returns {Markup}
 */
export function withNames(sentence) {
  const pieces = sentence.split(NAME_START).flatMap((piece, index) => {
    if (index === 0) return [piece];
    const end = piece.indexOf(NAME_END);
    return [codeName(piece.slice(0, end)), piece.slice(end + 1)];
  });
  return markup`${pieces}`;
}

/**
 * Lines of code or output, which stay lines.
 *
 * @param {string} text
 * @returns {Markup}
 */
export function codeLines(text) {
  return markup`<pre tabindex="0"><code>${new Markup(text.split('\n').map(escapeHtml).join('\n'))}</code></pre>`;
}

/**
 * A value as JSON within a script element of a page, from which nothing can break out.
 *
 * @param {unknown} value
 * @returns {Markup}
 */
export function scriptJson(value) {
  const json = JSON.stringify(value);
  const escaped = json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Markup(escaped);
}

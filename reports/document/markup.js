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

/** Nothing at all. */
export const NOTHING = new Markup('');

/** @typedef {Markup | string | number | null | Content[]} Content what a template takes */

/**
 * Template of HTML. Strings are escaped, markup and lists of it are put in as they are, null is
 * nothing.
 * @type {(strings: TemplateStringsArray, ...values: Content[]) => Markup}
 */
export function markup(strings, ...values) {
  const parts = strings.map((text, index) => text + toHtml(values[index] ?? null));
  return new Markup(parts.join(''));
}

/** @type {(value: Content) => string} */
function toHtml(value) {
  if (value === null) return '';
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(toHtml).join('');
  return escapeHtml(String(value));
}

/**
 * Text for a page, between tags or in a quoted attribute. Characters that do not show become
 * visible escapes.
 * @type {(text: string) => string}
 */
export function escapeHtml(text) {
  return escapeControl(text).replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? '');
}

/** Blocks of a page below each other. @type {(blocks: Content[]) => Markup} */
export function joinBlocks(blocks) {
  const texts = blocks.map(toHtml).filter((text) => text !== '');
  return new Markup(texts.join('\n'));
}

/**
 * A name as code, which may be broken after `@` and `/` where space is short.
 * @type {(name: string) => Markup}
 */
export function codeName(name) {
  if (name.trim() === '') return markup`<code>(empty)</code>`;
  return new Markup(`<code>${escapeHtml(name).replace(/[@/](?=.)/g, '$&<wbr>')}</code>`);
}

/** Lines of code or output, which stay lines. @type {(text: string) => Markup} */
export function codeLines(text) {
  return markup`<pre tabindex="0"><code>${new Markup(text.split('\n').map(escapeHtml).join('\n'))}</code></pre>`;
}

/**
 * A value as JSON within a script element of a page, from which nothing can break out.
 * @type {(value: unknown) => Markup}
 */
export function scriptJson(value) {
  const json = JSON.stringify(value);
  const escaped = json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Markup(escaped);
}

/**
 * Position of a value in a document, as text: `order.lines[3]."unit price"`. Documents may be
 * nested ten thousand levels deep, so a long path is shortened in the middle, with the number of
 * levels: `a.a.a…(4711 deep).b`.
 * @typedef {object} Path
 * @property {string} text the text to print; empty for the whole document
 * @property {string} head beginning of the text of every shortened path below this one; empty if
 *   not shortened.
 * @property {number} depth components so far
 */

/** Shown instead of an empty path. */
export const WHOLE_DOCUMENT = '(whole document)';

/** Path of the outermost document. @type {Path} */
export const ROOT_PATH = { text: '', head: '', depth: 0 };

const MAX_TEXT_LENGTH = 300;
const HEAD_LENGTH = 100;
const PLAIN_KEY = /^[A-Za-z0-9_$-]+$/;

// Characters that JSON does not escape but that affect terminals or line readers.
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/**
 * JSON text of a string, on one line, with lone surrogates and all control characters escaped.
 * @type {(text: string) => string}
 */
export function quoteText(text) {
  return JSON.stringify(text).replace(UNPRINTABLE, escapeCharacter);
}

/** @type {(character: string) => string} */
function escapeCharacter(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Path component of a document's key: `.name`, or `."two words"` if a bare key would be ambiguous.
 * @type {(key: string) => string}
 */
export function keyComponent(key) {
  return PLAIN_KEY.test(key) ? `.${key}` : `.${quoteText(key)}`;
}

/**
 * Path of a child.
 * @param {Path} parent
 * @param {string} component `.key`, `[3]` or `<scope>`
 * @returns {Path}
 */
export function extendPath(parent, component) {
  const depth = parent.depth + 1;
  if (parent.text === '') {
    const text = component.startsWith('.') ? component.slice(1) : component;
    return { text, head: '', depth };
  }
  if (parent.text.length <= MAX_TEXT_LENGTH) {
    return { text: parent.text + component, head: parent.head, depth };
  }
  const head = parent.head === '' ? parent.text.slice(0, HEAD_LENGTH) : parent.head;
  return { text: `${head}…(${parent.depth} deep)${component}`, head, depth };
}

/** Text of a path for messages and descriptions. @type {(path: Path) => string} */
export function showPath(path) {
  return path.depth === 0 ? WHOLE_DOCUMENT : path.text;
}

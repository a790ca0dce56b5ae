/**
 * Place of a value in a document, as text: `order.lines[3]."unit price"`. Documents may be nested
 * ten thousand levels deep, so a path that grows long is shortened in the middle and says how many
 * levels stand there: `a.a.a…(4711 deep).b`.
 *
 * @typedef {object} Path
 * @property {string} text What is printed; empty for the document as a whole.
 * @property {string} head How the text of every shortened path below this one begins; empty while
 *   no path had to be shortened.
 * @property {number} depth Components so far.
 */

/** What stands where a path would be empty. */
export const WHOLE_DOCUMENT = '(whole document)';

/**
 * Path of the outermost document.
 *
 * @type {Path}
 */
export const ROOT_PATH = { text: '', head: '', depth: 0 };

const LONGEST_TEXT = 300;
const HEAD_LENGTH = 100;
const PLAIN_KEY = /^[A-Za-z0-9_$-]+$/;

// What JSON leaves as it is although a terminal or a line reader would act on it.
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/**
 * JSON text of a string, on one line, with lone surrogates and all control characters escaped.
 *
 * @param {string} text
 * @returns {string}
 */
export function quoteText(text) {
  return JSON.stringify(text).replace(UNPRINTABLE, escapeCharacter);
}

/**
 * @param {string} character
 * @returns {string}
 */
function escapeCharacter(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Path component of a document's key: `.name`, or `."two words"` where a bare key would mislead.
 *
 * @param {string} key
 * @returns {string}
 */
export function keyComponent(key) {
  return PLAIN_KEY.test(key) ? `.${key}` : `.${quoteText(key)}`;
}

/**
 * Path of something inside.
 *
 * @param {Path} parent
 * @param {string} component `.key`, `[3]` or `<scope>`.
 * @returns {Path}
 */
export function extendPath(parent, component) {
  const depth = parent.depth + 1;
  if (parent.text === '') {
    const text = component.startsWith('.') ? component.slice(1) : component;
    return { text, head: '', depth };
  }
  if (parent.text.length <= LONGEST_TEXT) {
    return { text: parent.text + component, head: parent.head, depth };
  }
  const head = parent.head === '' ? parent.text.slice(0, HEAD_LENGTH) : parent.head;
  return { text: `${head}…(${parent.depth} deep)${component}`, head, depth };
}

/**
 * Text of a path as shown to people and written in descriptions.
 *
 * @param {Path} path
 * @returns {string}
 */
export function showPath(path) {
  return path.depth === 0 ? WHOLE_DOCUMENT : path.text;
}

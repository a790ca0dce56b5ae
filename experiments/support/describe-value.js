import { extendPath, ROOT_PATH, showPath } from './path-text.js';
import { summarizeValue } from './summarize-value.js';

/**
 * @typedef {import('./path-text.js').Path} Path
 * @typedef {import('./summarize-value.js').Child} Child
 *
 * @typedef {object} Frame
 * @property {unknown} value
 * @property {Path} path
 * @property {Child[]} children
 * @property {number} next
 */

/**
 * Canonical description of a deserialized value: a line for every value, containers before what
 * they contain, `path TAB type TAB exact value`. Two values have the same description only if
 * `assert.deepStrictEqual` holds them equal; it also tells apart the order of properties, the class
 * of a buffer and the unused part of nothing else. A BSON value class is known by `_bsontype` and
 * described by its public contents, whichever copy of the library made it.
 *
 * The order of lines carries the structure where a very long path had to be shortened.
 *
 * @param {unknown} value
 * @returns {string} Lines parted by `\n`, without one at the end.
 */
export function describeValue(value) {
  /** @type {string[]} */
  const lines = [];
  /** @type {Frame[]} */
  const open = [];
  const ancestors = new Set();

  /**
   * @param {unknown} inner
   * @param {Path} path
   */
  function describeOne(inner, path) {
    if (ancestors.has(inner)) {
      lines.push(`${showPath(path)}\tcircular\t`);
      return;
    }
    const { type, text, children } = summarizeValue(inner);
    lines.push(`${showPath(path)}\t${type}\t${text}`);
    if (children.length === 0) return;
    ancestors.add(inner);
    open.push({ value: inner, path, children, next: 0 });
  }

  describeOne(value, ROOT_PATH);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const child = frame.children[frame.next++];
    if (child === undefined) {
      ancestors.delete(frame.value);
      open.pop();
    } else {
      describeOne(child.value, extendPath(frame.path, child.component));
    }
  }
  return lines.join('\n');
}

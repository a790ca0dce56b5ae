import { ARRAY, CODE_WITH_SCOPE, OBJECT } from '../codec/element-types.js';
import {
  ENTER_DOCUMENT,
  ENTER_SCOPE,
  NO_SCOPE,
  SIZE_BYTES,
  enterPath,
  listDbRefFields,
  rulesOfDbRef,
} from '../codec/write-container.js';
import { writeHeader, writeText } from '../codec/write-text.js';

/** @import { Rules } from '../codec/write-container.js' */
/**
 * Creates the frame of a document. Each traversal has its own type of frame.
 * @template Frame
 * @callback OpenFrame
 * @param {any} document the document itself, for the path
 * @param {number} sizeOffset offset of its size field
 * @param {number} scopeOffset offset of the enclosing code with scope, or `NO_SCOPE`
 * @param {Rules} rules
 * @param {Frame} parent the enclosing frame
 * @returns {Frame}
 */

/**
 * Writes the beginning of a nested document and opens its frame. The document's fields begin at
 * the frame's `sizeOffset + SIZE_BYTES`. Shared by the traversals with frames.
 * @template {{ rules: Rules }} Frame
 * @param {OpenFrame<Frame>} openFrame
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {any} value
 * @param {number} mark the `ENTER_…` mark that `writeElement` gave
 * @param {Frame} parent
 * @param {Set<object>} path
 * @returns {Frame}
 */
export function openNested(openFrame, bytes, offset, key, value, mark, parent, path) {
  const { rules } = parent;
  if (mark === ENTER_DOCUMENT) {
    enterPath(path, value);
    const start = writeHeader(bytes, offset, Array.isArray(value) ? ARRAY : OBJECT, key);
    return openFrame(value, start, NO_SCOPE, rules, parent);
  }
  if (mark === ENTER_SCOPE) {
    enterPath(path, value.scope);
    const scopeOffset = writeHeader(bytes, offset, CODE_WITH_SCOPE, key);
    const start = writeText(bytes, scopeOffset + SIZE_BYTES, value.code);
    return openFrame(value.scope, start, scopeOffset, rules, parent);
  }
  const fields = listDbRefFields(value);
  enterPath(path, fields);
  const start = writeHeader(bytes, offset, OBJECT, key);
  return openFrame(fields, start, NO_SCOPE, rulesOfDbRef(rules), parent);
}

import { checkKey } from '../codec/check-key.js';
import { ARRAY, CODE_WITH_SCOPE, OBJECT } from '../codec/element-types.js';
import { isMap } from '../codec/kinds.js';
import {
  ENTER_DOCUMENT,
  ENTER_SCOPE,
  NO_SCOPE,
  SIZE_BYTES,
  closeDocument,
  enterPath,
  listDbRefFields,
  resolveDocument,
  resolveValue,
  rulesOfDbRef,
} from '../codec/write-container.js';
import { writeElement } from '../codec/write-element.js';
import { writeHeader, writeText } from '../codec/write-text.js';

/** @import { Rules } from '../codec/write-container.js' */

/**
 * Writes a document by recursion: a nested document is a call, its state lives on the call stack.
 * @type {(bytes: Buffer, document: object, rules: Rules) => number} size in bytes
 * @throws {RangeError} where the nesting exhausts the call stack
 */
export function writeDocument(bytes, document, rules) {
  const path = new Set();
  enterPath(path, document);
  return writeFields(bytes, 0, NO_SCOPE, document, rules, path);
}

/**
 * @param {Buffer} bytes
 * @param {number} sizeOffset where the document begins
 * @param {number} scopeOffset where the code with scope around it begins, or `NO_SCOPE`
 * @param {any} document
 * @param {Rules} rules
 * @param {Set<object>} path
 * @returns {number} offset after the document
 */
function writeFields(bytes, sizeOffset, scopeOffset, document, rules, path) {
  let offset = sizeOffset + SIZE_BYTES;
  if (Array.isArray(document)) {
    for (let at = 0; at < document.length; at++) {
      const value = resolveValue(document[at]);
      offset = writeValue(bytes, offset, String(at), value, true, rules, path);
    }
  } else if (isMap(document)) {
    for (const entry of /** @type {Map<any, any>} */ (document).entries()) {
      const value = resolveValue(entry[1]);
      checkKey(entry[0], rules.checkKeys);
      offset = writeValue(bytes, offset, entry[0], value, false, rules, path);
    }
  } else {
    const source = resolveDocument(document);
    for (const key of Object.keys(source)) {
      const value = resolveValue(source[key]);
      checkKey(key, rules.checkKeys);
      offset = writeValue(bytes, offset, key, value, false, rules, path);
    }
  }
  path.delete(document);
  return closeDocument(bytes, offset, sizeOffset, scopeOffset);
}

/**
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {any} value
 * @param {boolean} inArray
 * @param {Rules} rules
 * @param {Set<object>} path
 * @returns {number} offset after the element
 */
function writeValue(bytes, offset, key, value, inArray, rules, path) {
  const next = writeElement(bytes, offset, key, value, inArray, rules);
  return next >= 0 ? next : writeNested(bytes, offset, key, value, next, rules, path);
}

/**
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {string} key
 * @param {any} value
 * @param {number} mark the `ENTER_…` mark that `writeElement` gave
 * @param {Rules} rules
 * @param {Set<object>} path
 * @returns {number} offset after the element
 */
function writeNested(bytes, offset, key, value, mark, rules, path) {
  if (mark === ENTER_DOCUMENT) {
    enterPath(path, value);
    const start = writeHeader(bytes, offset, Array.isArray(value) ? ARRAY : OBJECT, key);
    return writeFields(bytes, start, NO_SCOPE, value, rules, path);
  }
  if (mark === ENTER_SCOPE) {
    enterPath(path, value.scope);
    const scopeOffset = writeHeader(bytes, offset, CODE_WITH_SCOPE, key);
    const start = writeText(bytes, scopeOffset + SIZE_BYTES, value.code);
    return writeFields(bytes, start, scopeOffset, value.scope, rules, path);
  }
  const fields = listDbRefFields(value);
  enterPath(path, fields);
  const start = writeHeader(bytes, offset, OBJECT, key);
  return writeFields(bytes, start, NO_SCOPE, fields, rulesOfDbRef(rules), path);
}

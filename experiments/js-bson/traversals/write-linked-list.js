import { checkKey } from '../codec/check-key.js';
import { isMap } from '../codec/kinds.js';
import {
  NO_SCOPE,
  SIZE_BYTES,
  closeDocument,
  enterPath,
  resolveDocument,
  resolveValue,
} from '../codec/write-container.js';
import { writeElement } from '../codec/write-element.js';
import { openNested } from './write-nested.js';

/** @import { Rules } from '../codec/write-container.js' */
/**
 * A document being written, iterated by index: with `keys` for an object, `entries` for a Map,
 * neither for an array.
 * @typedef {object} LinkedFrame
 * @property {any} document the document itself, for the path
 * @property {any} source source of the values: the document, or the result of its toBSON
 * @property {boolean} isArray
 * @property {string[] | null} keys, listed once
 * @property {Iterator<[any, any]> | null} entries
 * @property {number} next index of the next key or array element
 * @property {number} sizeOffset
 * @property {number} scopeOffset
 * @property {Rules} rules
 * @property {LinkedFrame | null} prev the enclosing frame
 */

/**
 * Writes a document without recursion. The frames of open documents form a linked list: each points
 * to the one around it by `prev`.
 * @type {(bytes: Buffer, document: object, rules: Rules) => number} size in bytes
 */
export function writeDocument(bytes, document, rules) {
  /** @type {Set<object>} */
  const path = new Set();
  enterPath(path, document);
  /** @type {LinkedFrame | null} */
  let frame = openLinkedFrame(document, 0, NO_SCOPE, rules, null);
  let offset = SIZE_BYTES;
  while (frame !== null) {
    let key;
    let value;
    let done;
    if (frame.keys !== null) {
      done = frame.next >= frame.keys.length;
      if (!done) {
        key = frame.keys[frame.next++];
        value = frame.source[key];
      }
    } else if (frame.entries !== null) {
      const entry = frame.entries.next();
      done = entry.done === true;
      if (!done) {
        key = entry.value[0];
        value = entry.value[1];
      }
    } else {
      done = frame.next >= frame.source.length;
      if (!done) {
        key = String(frame.next);
        value = frame.source[frame.next++];
      }
    }
    if (done) {
      offset = closeDocument(bytes, offset, frame.sizeOffset, frame.scopeOffset);
      path.delete(frame.document);
      frame = frame.prev;
      continue;
    }
    value = resolveValue(value);
    if (!frame.isArray) checkKey(key, frame.rules.checkKeys);
    const next = writeElement(bytes, offset, key, value, frame.isArray, frame.rules);
    if (next >= 0) {
      offset = next;
    } else {
      frame = openNested(openLinkedFrame, bytes, offset, key, value, next, frame, path);
      offset = frame.sizeOffset + SIZE_BYTES;
    }
  }
  return offset;
}

/**
 * @param {any} document
 * @param {number} sizeOffset
 * @param {number} scopeOffset
 * @param {Rules} rules
 * @param {LinkedFrame | null} prev
 * @returns {LinkedFrame}
 */
function openLinkedFrame(document, sizeOffset, scopeOffset, rules, prev) {
  const isArray = Array.isArray(document);
  const entries = !isArray && isMap(document) ? document.entries() : null;
  const isObject = !isArray && entries === null;
  const source = isObject ? resolveDocument(document) : document;
  const keys = isObject ? Object.keys(source) : null;
  return {
    document,
    source,
    isArray,
    keys,
    entries,
    next: 0,
    sizeOffset,
    scopeOffset,
    rules,
    prev,
  };
}

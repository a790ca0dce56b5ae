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
import { releaseFrame, takeFrame } from './write-frame-pool.js';
import { openNested } from './write-nested.js';

/** @import { Rules } from '../codec/write-container.js' */
/** @import { PooledFrame } from './write-frame-pool.js' */

/**
 * Like `write-linked-list.js`, but a frame keeps its inner frame for the next document at that
 * level. A frame is cleared when its document ends.
 * @type {(bytes: Buffer, document: object, rules: Rules) => number} size in bytes
 */
export function writeDocument(bytes, document, rules) {
  /** @type {Set<object>} */
  const path = new Set();
  enterPath(path, document);
  /** @type {PooledFrame | null} */
  let frame = openPooledFrame(document, 0, NO_SCOPE, rules, null);
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
      frame = releaseFrame(frame);
      continue;
    }
    value = resolveValue(value);
    if (!frame.isArray) checkKey(key, frame.rules.checkKeys);
    const next = writeElement(bytes, offset, key, value, frame.isArray, frame.rules);
    if (next >= 0) {
      offset = next;
    } else {
      frame = openNested(openPooledFrame, bytes, offset, key, value, next, frame, path);
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
 * @param {PooledFrame | null} prev
 * @returns {PooledFrame}
 */
function openPooledFrame(document, sizeOffset, scopeOffset, rules, prev) {
  const isArray = Array.isArray(document);
  const entries = !isArray && isMap(document) ? document.entries() : null;
  const isObject = !isArray && entries === null;
  const source = isObject ? resolveDocument(document) : document;
  const keys = isObject ? Object.keys(source) : null;
  const frame = takeFrame(rules, prev);
  frame.document = document;
  frame.source = source;
  frame.isArray = isArray;
  frame.keys = keys;
  frame.entries = entries;
  frame.next = 0;
  frame.sizeOffset = sizeOffset;
  frame.scopeOffset = scopeOffset;
  frame.rules = rules;
  return frame;
}

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
 * A document being written, with the generator of its fields.
 * @typedef {object} GeneratorFrame
 * @property {any} document the document itself, for the path
 * @property {boolean} isArray
 * @property {Generator<[any, any], void>} fields
 * @property {number} sizeOffset
 * @property {number} scopeOffset
 * @property {Rules} rules
 */

/**
 * Writes a document without recursion. Each frame has a generator of [key, value] pairs, which the
 * loop drives by `next()`; the frames are in an array, the innermost last.
 * @type {(bytes: Buffer, document: object, rules: Rules) => number} size in bytes
 */
export function writeDocument(bytes, document, rules) {
  /** @type {Set<object>} */
  const path = new Set();
  enterPath(path, document);
  const stack = [openGeneratorFrame(document, 0, NO_SCOPE, rules)];
  let offset = SIZE_BYTES;
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const step = frame.fields.next();
    if (step.done) {
      offset = closeDocument(bytes, offset, frame.sizeOffset, frame.scopeOffset);
      path.delete(frame.document);
      stack.pop();
      continue;
    }
    const key = frame.isArray ? String(step.value[0]) : step.value[0];
    const value = resolveValue(step.value[1]);
    if (!frame.isArray) checkKey(key, frame.rules.checkKeys);
    const next = writeElement(bytes, offset, key, value, frame.isArray, frame.rules);
    if (next >= 0) {
      offset = next;
    } else {
      const nested = openNested(openGeneratorFrame, bytes, offset, key, value, next, frame, path);
      stack.push(nested);
      offset = nested.sizeOffset + SIZE_BYTES;
    }
  }
  return offset;
}

/** @type {(document: any, sizeOffset: number, scopeOffset: number, rules: Rules) => GeneratorFrame} */
function openGeneratorFrame(document, sizeOffset, scopeOffset, rules) {
  return {
    document,
    isArray: Array.isArray(document),
    fields: generateFields(document),
    sizeOffset,
    scopeOffset,
    rules,
  };
}

/**
 * The fields of a document one by one. Nothing happens before the first `next()`.
 * @type {(document: any) => Generator<[any, any], void>}
 */
function* generateFields(document) {
  if (Array.isArray(document) || isMap(document)) {
    yield* document.entries();
  } else {
    yield* Object.entries(resolveDocument(document));
  }
}

import { walkBson } from '../../support/walk-bson.js';

/** @import { Level, Part } from '../../support/walk-bson.js' */

/**
 * A document to mutate, with the offsets of its parts.
 *
 * @typedef {object} Seedling
 * @property {Buffer} bytes
 * @property {Element[]} elements
 * @property {number[]} sizes offsets of all int32 sizes and lengths, the root's first
 * @property {number[]} ends offsets of bytes that must be 0: terminators of documents and strings
 *
 * @typedef {object} Element
 * @property {number} start offset of the type byte
 * @property {number} keyEnd offset after the key's terminator
 * @property {number} end
 * @property {number[]} around offsets of the sizes that count this element
 */

/** Types whose value is a length, then text with a terminator. */
const TEXT_TYPES = new Set(['string', 'code', 'symbol', 'code with scope']);
const SIZE_BYTES = 4;

/**
 * Finds the parts of a document. A broken document is indexed up to the error.
 *
 * @param {Uint8Array} bytes
 * @returns {Seedling}
 */
export function indexDocument(bytes) {
  /** @type {Seedling} */
  const seedling = { bytes: Buffer.from(bytes), elements: [], sizes: [], ends: [] };
  if (bytes.length < SIZE_BYTES) return seedling;
  /** @type {Map<Level, { element: Element | null, around: number[] }>} */
  const levels = new Map();
  /** @type {Element | null} */
  let last = null;
  /** The total size of a code with scope, which counts the scope too. @type {number[]} */
  let total = [];
  for (const part of walkBson(bytes)) {
    if (part.name === 'size' && part.key === null) {
      const around = levels.get(/** @type {Level} */ (part.level.parent))?.around ?? [];
      levels.set(part.level, { element: last, around: [...around, ...total, part.start] });
      total = [];
    } else if (part.name === 'size') {
      total = [part.start];
    } else if (part.name === 'type byte') {
      const around = levels.get(part.level)?.around ?? [];
      last = { start: part.start, keyEnd: part.end, end: part.end, around };
      seedling.elements.push(last);
    }
    if (last !== null && part.key !== null) extendElement(last, part);
    if (part.name === 'terminator') {
      const element = levels.get(part.level)?.element ?? null;
      if (element !== null) element.end = part.end;
    }
    notePlaces(seedling, part);
  }
  return seedling;
}

/**
 * @param {Element} element
 * @param {Part} part
 */
function extendElement(element, part) {
  if (part.name === 'key') element.keyEnd = part.end;
  element.end = part.end;
}

/**
 * @param {Seedling} seedling
 * @param {Part} part
 */
function notePlaces({ sizes, ends }, { name, start, end, type }) {
  const isLength = name === 'length' && end - start === SIZE_BYTES;
  if (name === 'size' || isLength) sizes.push(start);
  const isText = name === 'value' && TEXT_TYPES.has(type) && end > start;
  if (name === 'terminator' || name === 'key' || isText) ends.push(end - 1);
}

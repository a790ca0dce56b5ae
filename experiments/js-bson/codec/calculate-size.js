import { isMap } from './kinds.js';
import { sizeOfKey, sizeOfValue, LEFT_OUT } from './value-size.js';
import { enterPath, resolveValue } from './write-container.js';

/** @import { SizeRules } from './value-size.js' */

/**
 * A document being measured.
 * @typedef {object} Frame
 * @property {any} document
 * @property {SizeRules} rules
 * @property {boolean} isOpen its elements are counted, and the entries above it in the stack are
 *   nested in it
 */

/** Size field and terminator. */
const EMPTY_DOCUMENT_BYTES = 5;

/**
 * Calculates the size of a document in BSON by the rules of bson 7.3.4, which differ in places from
 * those for writing: see `value-size.js`. Never rejects a whole document.
 * @param {any} document
 * @param {import('bson').CalculateObjectSizeOptions | null} [options] those of bson
 * @returns {number} bytes
 * @throws {import('bson').BSONVersionError} if a value class is of another major version
 * @throws {import('bson').BSONError} if a document contains itself
 * @throws {TypeError} if the document is null or undefined
 */
export function calculateObjectSize(document, options) {
  /** @type {Frame[]} */
  const frames = [{ document, rules: readRules(options), isOpen: false }];
  /** @type {Set<object>} */
  const path = new Set();
  let total = 0;
  // Nested documents are visited after their parent, last one first, as bson calls toBSON.
  while (frames.length > 0) {
    const frame = frames[frames.length - 1];
    if (frame.isOpen) {
      path.delete(frame.document);
      frames.pop();
    } else {
      enterPath(path, frame.document);
      frame.isOpen = true;
      total += EMPTY_DOCUMENT_BYTES + sizeOfElements(frame.document, frame.rules, frames);
    }
  }
  return total;
}

/** @type {(options?: import('bson').CalculateObjectSizeOptions | null) => SizeRules} */
function readRules(options) {
  const { serializeFunctions, ignoreUndefined } = options || {};
  return {
    serializeFunctions: serializeFunctions === true,
    ignoreUndefined: typeof ignoreUndefined === 'boolean' ? ignoreUndefined : true,
  };
}

/** @type {(document: any, rules: SizeRules, frames: Frame[]) => number} */
function sizeOfElements(document, rules, frames) {
  /** @type {import('./value-size.js').Enter} */
  function enter(nested, nestedRules = rules) {
    frames.push({ document: nested, rules: nestedRules, isOpen: false });
    return 0;
  }
  if (Array.isArray(document)) return sizeOfItems(document, rules, enter);
  if (typeof document === 'object' && document !== null && isMap(document))
    return sizeOfEntries(/** @type {Map<string, unknown>} */ (document), rules, enter);
  return sizeOfFields(document, rules, enter);
}

/** @type {(array: unknown[], rules: SizeRules, enter: import('./value-size.js').Enter) => number} */
function sizeOfItems(array, rules, enter) {
  let size = 0;
  for (let index = 0; index < array.length; index++) {
    const value = resolveValue(array[index]);
    // An undefined item is written as null.
    const valueSize = value === undefined ? 0 : sizeOfValue(value, rules, enter);
    if (valueSize !== LEFT_OUT) size += sizeOfKey(String(index)) + valueSize;
  }
  return size;
}

/** @type {(map: Map<string, unknown>, rules: SizeRules, enter: import('./value-size.js').Enter) => number} */
function sizeOfEntries(map, rules, enter) {
  let size = 0;
  for (const [key, value] of map) {
    const valueSize = sizeOfValue(resolveValue(value), rules, enter);
    if (valueSize !== LEFT_OUT) size += sizeOfKey(key) + valueSize;
  }
  return size;
}

/** @type {(document: any, rules: SizeRules, enter: import('./value-size.js').Enter) => number} */
function sizeOfFields(document, rules, enter) {
  const source = typeof document?.toBSON === 'function' ? document.toBSON() : document;
  let size = 0;
  for (const key of Object.keys(source)) {
    const valueSize = sizeOfValue(resolveValue(source[key]), rules, enter);
    if (valueSize !== LEFT_OUT) size += sizeOfKey(key) + valueSize;
  }
  return size;
}

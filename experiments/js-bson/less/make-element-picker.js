import { deserialize } from '../champion/bson.js';
import { viewAsBuffer } from '../codec/deserializer.js';
import { ARRAY, CODE_WITH_SCOPE, OBJECT } from '../codec/element-types.js';
import { readInt32 } from '../codec/numbers.js';
import { openDefaultReader } from '../codec/reader.js';
import { readElement } from '../codec/read-element.js';
import { readObjectId } from '../champion/object-id.js';
import { makeObjectPicker } from './pick-objects.js';

/** @import { Reader } from '../codec/reader.js' */
/** @import { PickFields } from './pick-objects.js' */

/** Thrown for what is left to `deserialize`. */
export const IRREGULAR = Symbol('irregular');

/** Begins the keys of a DBRef, which is no document. */
export const DOLLAR = 0x24;

/**
 * Finds the element of each path.
 * @typedef {(bytes: Buffer, found: Found) => void} FindElements
 *
 * @typedef {object} Found by path
 * @property {number[]} types 0 for a field that the document does not have
 * @property {number[]} starts where the values begin
 */

/**
 * Makes the function that takes fields of a document without reading the others. What is left to `deserialize`: whatever is
 * irregular on the way to a field, fields that are arrays or Code with scope, keys that UTF-8 cannot represent. What is not
 * read is not checked.
 * @param {string[][]} paths the keys to each field
 * @param {(keys: Buffer[][]) => FindElements} makeFinder
 * @returns {PickFields}
 */
export function makeElementPicker(paths, makeFinder) {
  const pickObjects = makeObjectPicker(deserialize, paths);
  if (!paths.flat().every(isExact)) return pickObjects;
  const findElements = makeFinder(paths.map((path) => path.map((key) => Buffer.from(key))));
  const found = { types: paths.map(() => 0), starts: paths.map(() => 0) };

  return function pickFields(bytes) {
    try {
      const reader = openDefaultReader(viewAsBuffer(bytes), readObjectId);
      found.types.fill(0);
      findElements(reader.bytes, found);
      const values = [];
      for (let index = 0; index < paths.length; index++) {
        const type = found.types[index];
        values.push(type === 0 ? undefined : readField(reader, type, found.starts[index]));
      }
      return values;
    } catch {
      return pickObjects(bytes);
    }
  };
}

/** Whether only the bytes of the key are read as it. @param {string} key */
function isExact(key) {
  return !key.includes('\uFFFD') && Buffer.from(key).toString() === key;
}

/** @type {(reader: Reader, type: number, start: number) => unknown} */
function readField(reader, type, start) {
  const { bytes } = reader;
  if (type === OBJECT) return deserialize(bytes.subarray(start, start + readInt32(bytes, start)));
  if (type === ARRAY || type === CODE_WITH_SCOPE) throw IRREGULAR;
  reader.index = start;
  return readElement(reader, type, '', true);
}

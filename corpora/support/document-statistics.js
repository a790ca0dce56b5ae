import { readExactTypes } from './extended-json.js';

/**
 * What a document is made of, counted from its bytes.
 *
 * @typedef {object} DocumentStatistics
 * @property {number} sizeBytes
 * @property {number} elements fields and array items at every level
 * @property {number} documents the root, nested documents and scopes; no arrays
 * @property {number} levels of elements: 1 for a document without nested values
 * @property {Record<string, number>} types elements by type: `string`, `Int32`, `array`, …
 * @property {string[]} keys of the fields of documents, each once; no array indices
 * @property {number[]} keyLengths of those, each once, ascending
 * @property {number[]} stringLengths in characters, each once, ascending
 * @property {number[]} arrayLengths ascending
 */

/**
 * @param {Uint8Array} bytes one BSON document
 * @returns {DocumentStatistics}
 */
export function describeDocument(bytes) {
  const tally = new Tally();
  tally.addDocument(readExactTypes(bytes), 1);
  const keys = [...tally.keys];
  return {
    sizeBytes: bytes.length,
    elements: tally.elements,
    documents: tally.documents,
    levels: tally.levels,
    types: tally.types,
    keys,
    keyLengths: sortNumbers(new Set(keys.map((key) => key.length))),
    stringLengths: sortNumbers(tally.stringLengths),
    arrayLengths: sortNumbers(tally.arrayLengths),
  };
}

class Tally {
  elements = 0;
  documents = 0;
  levels = 0;
  /** @type {Record<string, number>} */
  types = {};
  /** @type {Set<string>} */
  keys = new Set();
  /** @type {Set<number>} */
  stringLengths = new Set();
  /** @type {number[]} */
  arrayLengths = [];

  /**
   * @param {Record<string, unknown>} document
   * @param {number} level
   */
  addDocument(document, level) {
    this.documents++;
    for (const [key, value] of Object.entries(document)) {
      this.keys.add(key);
      this.#addElement(value, level);
    }
  }

  /**
   * @param {any} value
   * @param {number} level
   */
  #addElement(value, level) {
    const type = nameType(value);
    this.elements++;
    this.levels = Math.max(this.levels, level);
    this.types[type] = (this.types[type] ?? 0) + 1;
    if (type === 'string') this.stringLengths.add(value.length);
    else if (type === 'document') this.addDocument(value, level + 1);
    else if (type === 'Code' && value.scope) this.addDocument(value.scope, level + 1);
    else if (type === 'array') {
      this.arrayLengths.push(value.length);
      for (const item of value) this.#addElement(item, level + 1);
    }
  }
}

/** @param {any} value */
function nameType(value) {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  return value._bsontype ?? 'document';
}

/** @param {Iterable<number>} numbers */
function sortNumbers(numbers) {
  return [...numbers].sort((a, b) => a - b);
}

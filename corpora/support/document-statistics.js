import { setFlagsFromString } from 'node:v8';
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

/**
 * V8 keeps a plain object either as a shape shared with its likes and a row of slots ("fast"), or,
 * with too many keys for the way it was built, as a hash table of its own ("dictionary").
 *
 * @typedef {object} ObjectCounts
 * @property {number} total plain objects: documents, nested documents and scopes; no arrays and no
 *   value classes
 * @property {number} dictionary those that V8 keeps as a hash table
 */

/**
 * Switches on V8's natives syntax for the moment it takes to compile one function, so only for
 * processes that measure nothing.
 *
 * @param {Iterable<unknown>} documents live, as the program made them
 * @returns {ObjectCounts}
 */
export function countDictionaryObjects(documents) {
  const hasFastProperties = compileHasFastProperties();
  const counts = { total: 0, dictionary: 0 };
  const pending = [];
  for (const document of documents) {
    pending.push(document);
    while (pending.length > 0) {
      const value = pending.pop();
      if (typeof value !== 'object' || value === null) continue;
      if (isPlainObject(value)) {
        counts.total++;
        if (!hasFastProperties(value)) counts.dictionary++;
      }
      pending.push(...listNested(value));
    }
  }
  return counts;
}

/** @returns {(value: object) => boolean} */
function compileHasFastProperties() {
  setFlagsFromString('--allow-natives-syntax');
  try {
    const compiled = new Function('value', 'return %HasFastProperties(value)');
    // V8 compiles lazily: the first call is what needs the flag.
    compiled({});
    return /** @type {(value: object) => boolean} */ (compiled);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** @param {object} value */
function isPlainObject(value) {
  if (Array.isArray(value) || '_bsontype' in value) return false;
  return Object.prototype.toString.call(value) === '[object Object]';
}

/**
 * Of the value classes only code and references hold documents.
 *
 * @param {object} value
 * @returns {unknown[]}
 */
function listNested(value) {
  if (Array.isArray(value)) return value;
  if (isPlainObject(value)) return Object.values(value);
  const { scope, fields } = /** @type {{ scope?: unknown, fields?: unknown }} */ (value);
  return [scope, fields];
}

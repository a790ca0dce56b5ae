import { setFlagsFromString } from 'node:v8';
import { serialize } from 'bson';
import { readExactTypes } from './document-text.js';

/** @import { Corpus, ObjectCounts } from '../../harness/formats/types.ts' */

/**
 * Statistics of a document, from its bytes.
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

  /** @param {Record<string, unknown>} document @param {number} level */
  addDocument(document, level) {
    this.documents++;
    for (const [key, value] of Object.entries(document)) {
      this.keys.add(key);
      this.#addElement(value, level);
    }
  }

  /** @param {any} value @param {number} level */
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
 * Enables V8's natives syntax while compiling one function, so use it only in processes that do not
 * measure.
 * @param {Iterable<unknown>} documents JavaScript objects
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
    // V8 compiles lazily, so the first call needs the flag.
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
 * Of the value classes, only Code and DBRef contain documents.
 * @type {(value: object) => unknown[]}
 */
function listNested(value) {
  if (Array.isArray(value)) return value;
  if (isPlainObject(value)) return Object.values(value);
  const { scope, fields } = /** @type {{ scope?: unknown, fields?: unknown }} */ (value);
  return [scope, fields];
}

/** Enough to estimate a share of a few percent. */
const SAMPLE = 1000;

/**
 * Statistics of many documents of a corpus, for comparison with the data that it imitates.
 * @typedef {object} SeriesStatistics
 * @property {import('bson').Document[]} documents as the corpus yields them
 * @property {{ least: number, median: number, mean: number, most: number }} sizeBytes
 * @property {{ least: number, most: number }} keyCounts at the top level
 * @property {Set<string>} keyOrders top-level keys of a document, joined by commas
 * @property {Record<string, number>} presence share of documents that have a top-level key, 0…1
 * @property {string[]} strings all string values at every level
 */

/**
 * @param {Corpus} corpus one that takes a count
 * @returns {SeriesStatistics} of its first 1000 documents
 */
export function describeSeries(corpus) {
  const documents = [...corpus.documents(SAMPLE)];
  const sizes = documents.map((document) => serialize(document).length).sort((a, b) => a - b);
  const keys = documents.map((document) => Object.keys(document));
  const keyCounts = keys.map(({ length }) => length);
  return {
    documents,
    sizeBytes: {
      least: Number(sizes[0]),
      median: Number(sizes[SAMPLE / 2]),
      mean: sizes.reduce((sum, size) => sum + size, 0) / SAMPLE,
      most: Number(sizes.at(-1)),
    },
    keyCounts: { least: Math.min(...keyCounts), most: Math.max(...keyCounts) },
    keyOrders: new Set(keys.map((each) => each.join())),
    presence: countPresence(keys),
    strings: documents.flatMap(listStrings),
  };
}

/** @type {(strings: string[]) => { least: number, most: number }} characters */
export function describeLengths(strings) {
  const lengths = strings.map(({ length }) => length);
  return { least: Math.min(...lengths), most: Math.max(...lengths) };
}

/** @type {(strings: string[]) => number} share with a non-ASCII character, 0…1 */
export function nonAsciiShare(strings) {
  return strings.filter((text) => /[^\p{ASCII}]/u.test(text)).length / strings.length;
}

/** @param {string[][]} keys */
function countPresence(keys) {
  /** @type {Record<string, number>} */
  const presence = {};
  for (const key of keys.flat()) presence[key] = (presence[key] ?? 0) + 1 / keys.length;
  return presence;
}

/** @type {(value: unknown) => string[]} */
function listStrings(value) {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(listStrings);
  const isDocument = Object.prototype.toString.call(value) === '[object Object]';
  if (!isDocument || '_bsontype' in /** @type {object} */ (value)) return [];
  return Object.values(/** @type {object} */ (value)).flatMap(listStrings);
}

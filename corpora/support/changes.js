/** What becomes of a document when the reference reads it and writes it: every value that changes. */

import { isDeepStrictEqual } from 'node:util';
import { EJSON, onDemand } from 'bson';
import { escapeControl } from '../../harness/lib/escape.js';
import { isRecord } from '../../harness/lib/records.js';
import { findTypeReader, isSameNumber } from './extended-json.js';
import { readJsonTree } from './json-tree.js';

/** @import { JsonNode } from './json-tree.js' */

/**
 * @typedef {object} Change
 * @property {string} path `orders.3.total`; empty for the whole document
 * @property {string} read what was read, in the format that was read
 * @property {string} became
 */

/** @typedef {(path: string, read: string, became: string) => void} Report */

/**
 * Compares a text of Extended JSON with the document that it became.
 * @param {string} text valid JSON
 * @param {import('bson').Document} document with exact types, as `readExactTypes` gives them
 * @returns {Change[]}
 */
export function findTextChanges(text, document) {
  return new TextComparison(text).compare(document);
}

class TextComparison {
  #text;
  /** @type {Change[]} */
  #changes = [];

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
  }

  /** @param {import('bson').Document} document */
  compare(document) {
    this.#compareValue(readJsonTree(this.#text), document, '');
    return this.#changes;
  }

  /** @type {(node: JsonNode, value: any, path: string) => void} */
  #compareValue(node, value, path) {
    // Most numbers are written as JavaScript does it; the general way takes several times as long.
    if (node.kind === 'number' && String(value?.value) === node.digits) return;
    const became = isPlain(value) ? value : EJSON.serialize(value, { relaxed: false });
    if (!this.#isSame(node, became, path)) this.#report(path, this.#quote(node), show(value));
  }

  /** @type {(node: JsonNode, became: any, path: string) => boolean} false if it is to be reported as a whole */
  #isSame(node, became, path) {
    switch (node.kind) {
      case 'constant':
        return node.value === became;
      case 'number':
        return isSameNumber(node.digits, became);
      case 'array': {
        if (!Array.isArray(became) || became.length !== node.items.length) return false;
        for (const [index, item] of node.items.entries()) {
          this.#compareValue(item, became[index], extend(path, String(index)));
        }
        return true;
      }
      case 'object':
        return isRecord(became) && this.#isSameObject(node, became, path);
    }
  }

  /** @type {(node: JsonNode & { kind: 'object' }, became: Record<string, unknown>, path: string) => boolean} */
  #isSameObject(object, became, path) {
    const fields = Object.fromEntries(object.entries);
    const readType = findTypeReader(object);
    if (readType !== undefined && isDeepStrictEqual(readType(fields, became), became)) return true;
    const hasSameKeys = compareKeys(object.entries, Object.keys(became), path, {
      report: (...change) => this.#report(...change),
      quote: (node) => this.#quote(node),
    });
    if (!hasSameKeys) return false;
    const before = this.#changes.length;
    for (const [key, node] of Object.entries(fields)) {
      this.#compareValue(node, became[key], extend(path, key));
    }
    if (readType === undefined || this.#changes.length === before) return true;
    // The value of a type is one value, whatever its object consists of.
    this.#changes.length = before;
    return false;
  }

  /** @type {Report} */
  #report(path, read, became) {
    this.#changes.push({ path, read: shorten(read), became: shorten(became) });
  }

  /** @param {JsonNode} node */
  #quote({ start, end }) {
    return this.#text.slice(start, end);
  }
}

/** @param {any} value */
function isPlain(value) {
  return !isRecord(value) || (value._bsontype === undefined && !(value instanceof Date));
}

/** @param {unknown} value a date as it is read best, every other type exactly */
function show(value) {
  return EJSON.stringify(value, { relaxed: value instanceof Date });
}

/**
 * Compares BSON with what was written for the document that was read from it.
 * @param {Uint8Array} bytes
 * @param {Uint8Array} again
 * @returns {Change[]}
 */
export function findByteChanges(bytes, again) {
  /** @type {Change[]} */
  const changes = [];
  compareElements(bytes, again, '', (path, read, became) => {
    changes.push({ path, read: shorten(read), became: shorten(became) });
  });
  return changes;
}

/** @typedef {{ type: number, bytes: Buffer }} Element */

const OBJECT = 3;
const ARRAY = 4;
const DATE = 9;
const INT64 = 18;

/** @type {(bytes: Uint8Array, again: Uint8Array, path: string, report: Report) => void} */
function compareElements(bytes, again, path, report) {
  const entries = listElements(bytes);
  const written = new Map(listElements(again));
  if (!compareKeys(entries, [...written.keys()], path, { report, quote: describeElement })) {
    report(path, `keys ${listKeys(entries)}`, `keys ${listKeys([...written])}`);
    return;
  }
  for (const [key, element] of new Map(entries)) {
    const found = written.get(key);
    if (found === undefined) continue;
    const isSameType = element.type === found.type;
    if (isSameType && element.bytes.equals(found.bytes)) continue;
    if (isSameType && (element.type === OBJECT || element.type === ARRAY)) {
      compareElements(element.bytes, found.bytes, extend(path, key), report);
    } else report(extend(path, key), describeElement(element), describeElement(found));
  }
}

/** @type {(bytes: Uint8Array) => [key: string, element: Element][]} */
function listElements(bytes) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [...onDemand.parseToElements(bytes)].map(
    ([type, nameOffset, nameLength, offset, length]) => [
      buffer.toString('utf8', nameOffset, nameOffset + nameLength),
      { type, bytes: buffer.subarray(offset, offset + length) },
    ],
  );
}

/** By the code of the type. */
const TYPE_NAMES = [
  ...[
    '',
    'double',
    'string',
    'document',
    'array',
    'binary',
    'undefined',
    'ObjectId',
    'boolean',
    'date',
  ],
  ...['null', 'regular expression', 'DBPointer', 'code', 'symbol', 'code with scope', 'int32'],
  ...['timestamp', 'int64', 'decimal128'],
];

/** @param {Element} element */
function describeElement({ type, bytes }) {
  const name = TYPE_NAMES[type] ?? (type === 127 ? 'maxKey' : 'minKey');
  if (type === DATE || type === INT64) return `${name} ${bytes.readBigInt64LE(0)}`;
  if (type === OBJECT || type === ARRAY) return `${name} of ${bytes.length} bytes`;
  return bytes.length === 0 ? name : `${name} ${bytes.toString('hex')}`;
}

/**
 * Compares the keys of an object with those that it has afterwards. Reports a key that occurs twice, and another order.
 * @template Value
 * @param {[key: string, value: Value][]} entries
 * @param {string[]} found
 * @param {string} path
 * @param {{ report: Report, quote: (value: Value) => string }} how
 * @returns {boolean} false if there are other keys
 */
function compareKeys(entries, found, path, { report, quote }) {
  /** @type {Map<string, Value[]>} */
  const values = new Map();
  for (const [key, value] of entries) {
    const same = values.get(key);
    if (same === undefined) values.set(key, [value]);
    else same.push(value);
  }
  const foundKeys = new Set(found);
  const keys = [...values.keys()];
  if (keys.length !== found.length || !keys.every((key) => foundKeys.has(key))) return false;
  for (const [key, same] of values) {
    if (same.length === 1) continue;
    const quotes = same.map((value) => shorten(quote(value)));
    report(extend(path, key), quotes.join(', then '), String(quotes.at(-1)));
  }
  const first = keys.findIndex((key, index) => key !== found[index]);
  if (first !== -1) {
    const list = (/** @type {string[]} */ all) =>
      all
        .slice(first, first + MAX_KEYS)
        .map(showKey)
        .join(', ');
    report(path, `order ${list(keys)}`, list(found));
  }
  return true;
}

/** In a note. */
const MAX_KEYS = 3;
const MAX_QUOTED = 100;

/** @param {[key: string, value: unknown][]} entries */
function listKeys(entries) {
  return entries.map(([key]) => showKey(key)).join(', ');
}

/** @param {string} path @param {string} key */
function extend(path, key) {
  return path === '' ? showKey(key) : `${path}.${showKey(key)}`;
}

/** @param {string} key */
function showKey(key) {
  return /^[\p{L}\p{N}_$-]+$/u.test(key) ? shorten(key) : shorten(JSON.stringify(key));
}

/** On one line, both ends of a long text. @param {string} text */
function shorten(text) {
  const half = MAX_QUOTED / 2;
  const isLong = text.length > MAX_QUOTED;
  return escapeControl(isLong ? `${text.slice(0, half)}…${text.slice(-half)}` : text);
}

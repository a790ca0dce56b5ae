/**
 * Turns a prepared corpus into live objects. This file runs inside timed processes, so it imports
 * next to nothing and reads what `prepare` wrote instead of deriving it again.
 */

import { dirname, join } from 'node:path';
import { streamBsonDocuments } from './bson-frames.js';
import { streamLines } from './json-documents.js';

/** @import { PreparedCorpus } from '../../harness/formats/types.ts' */
/** @import { Document } from 'bson' */

/** @typedef {Pick<typeof import('bson'), 'EJSON' | 'deserialize'>} Bson */

/** Beside the canonical BSON: one JavaScript object literal a line, for provenance `literal`. */
export const LITERAL_FILE = 'documents.literal';

/** The names that a line of the literal file may use, apart from `Buffer` and `Date`. */
const LITERAL_CLASSES = /** @type {const} */ ([
  'BSONRegExp',
  'BSONSymbol',
  'Binary',
  'Code',
  'DBRef',
  'Decimal128',
  'Double',
  'Long',
  'MaxKey',
  'MinKey',
  'ObjectId',
  'Timestamp',
]);

/**
 * The documents of a corpus as live objects that came to be the way its provenance says, by the
 * variant's own means: its `EJSON.parse`, its `deserialize`, its value classes. Where a variant has
 * no EJSON or lacks a value class, those of the package `bson` stand in, all of them together.
 *
 * @param {object} module namespace object of the variant
 * @param {PreparedCorpus} corpus
 * @returns {Promise<Record<string, unknown>[]>}
 */
export async function materializeDocuments(module, corpus) {
  const able = canMaterialize(module, corpus.provenance) ? module : await import('bson');
  return [...streamDocuments(/** @type {Bson} */ (able), corpus)];
}

/**
 * The same one by one, for a module that has all it takes; holds no more than the file's next part.
 *
 * @param {Bson} bson
 * @param {PreparedCorpus} corpus
 * @returns {Generator<Record<string, unknown>>}
 */
export function* streamDocuments(bson, { provenance, files }) {
  switch (provenance) {
    case 'parsed':
      for (const line of streamLines(files.text)) yield bson.EJSON.parse(line);
      return;
    case 'deserialized':
      for (const bytes of streamBsonDocuments(files.canonical)) yield bson.deserialize(bytes);
      return;
    case 'literal':
      for (const line of streamLines(join(dirname(files.canonical), LITERAL_FILE))) {
        yield evaluateLiteral(bson, line);
      }
  }
}

/**
 * @param {object} module
 * @param {PreparedCorpus['provenance']} provenance
 */
function canMaterialize(module, provenance) {
  if (provenance === 'deserialized') return 'deserialize' in module;
  if (provenance === 'literal') return LITERAL_CLASSES.every((name) => name in module);
  return 'EJSON' in module;
}

/**
 * V8 compiles the text as it would a literal in a source file, with the map a literal gets.
 *
 * @param {object} bson
 * @param {string} expression
 */
function evaluateLiteral(bson, expression) {
  const classes = LITERAL_CLASSES.map((name) => Reflect.get(bson, name));
  const build = new Function(...LITERAL_CLASSES, `'use strict'; return ${expression};`);
  return build(...classes);
}

/**
 * Writes a document as the JavaScript expression that builds it, on one line: what a programmer
 * would type. Numbers stay plain where serializing a plain number gives the exact type back.
 *
 * @param {Document} document with exact types, as `readExactTypes` gives them
 * @returns {string} uses the names that `materialize.js` gives it, `Buffer` and `Date`
 */
export function formatLiteral(document) {
  const fields = Object.keys(document).map(
    (key) => `${formatKey(key)}:${formatValue(document[key])}`,
  );
  return `{${fields.join(',')}}`;
}

/**
 * A plain `"__proto__":` would set the prototype instead of making a field.
 *
 * @param {string} key
 */
function formatKey(key) {
  return key === '__proto__' ? '["__proto__"]' : JSON.stringify(key);
}

/**
 * @param {any} value
 * @returns {string}
 */
function formatValue(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  return value._bsontype === undefined ? formatLiteral(value) : formatValueClass(value);
}

/** @param {any} value an instance of one of the value classes of the package `bson` */
function formatValueClass(value) {
  switch (value._bsontype) {
    case 'Int32':
      return String(value.value);
    case 'Double':
      return formatDouble(value.value);
    case 'Long':
      return `new Long(${value.low},${value.high})`;
    case 'Timestamp':
      return `new Timestamp({t:${value.t},i:${value.i}})`;
    case 'ObjectId':
      return `new ObjectId("${value.toHexString()}")`;
    case 'Binary':
      return `new Binary(${formatBytes(value.value())},${value.sub_type})`;
    case 'Decimal128':
      return `new Decimal128(${formatBytes(value.bytes)})`;
    case 'BSONRegExp':
      return `new BSONRegExp(${JSON.stringify(value.pattern)},${JSON.stringify(value.options)})`;
    case 'BSONSymbol':
      return `new BSONSymbol(${JSON.stringify(value.value)})`;
    case 'Code':
      return formatCall('Code', [value.code, value.scope]);
    case 'DBRef':
      return formatCall('DBRef', [value.collection, value.oid, value.db, value.fields]);
    default:
      return `new ${value._bsontype}()`;
  }
}

/**
 * @param {string} className
 * @param {unknown[]} values
 */
function formatCall(className, values) {
  return `new ${className}(${values.map((value) => formatValue(value ?? undefined)).join(',')})`;
}

/**
 * The serializer makes an int32 of a plain number that is one, so only those need the class.
 *
 * @param {number} value
 */
function formatDouble(value) {
  if (Object.is(value, -0)) return '-0';
  return value === (value | 0) ? `new Double(${value})` : String(value);
}

/** @param {Uint8Array} bytes */
function formatBytes(bytes) {
  return `Buffer.from("${Buffer.from(bytes).toString('base64')}","base64")`;
}

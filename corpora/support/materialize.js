/**
 * Turns a prepared corpus into live objects. This file runs inside timed processes, so it imports
 * next to nothing and reads what `prepare` wrote instead of deriving it again.
 */

import { dirname, join } from 'node:path';
import { streamBsonDocuments, streamLines } from './document-files.js';

/** @import { PreparedCorpus } from '../../harness/formats/types.ts' */

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

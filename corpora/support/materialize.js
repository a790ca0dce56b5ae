/**
 * Turns a prepared corpus into JavaScript objects. Runs in timed processes, so it has few imports
 * and reads the files of `prepare`.
 */

import { dirname, join } from 'node:path';
import { streamBsonDocuments, streamLines } from './document-files.js';

/** @import { PreparedCorpus } from '../../harness/formats/types.ts' */

/** @typedef {Pick<typeof import('bson'), 'EJSON' | 'deserialize'>} Bson */

/** Beside the canonical BSON: one JavaScript object literal per line, for provenance `literal`. */
export const LITERAL_FILE = 'documents.literal';

/** Classes that a line of the literal file may use besides `Buffer` and `Date`. */
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
 * Creates the documents of a corpus according to its provenance, with the variant's own
 * `EJSON.parse`, `deserialize` or value classes. If the variant lacks one of them, all come from
 * the package `bson`.
 * @param {object} module namespace object of the variant
 * @param {PreparedCorpus} corpus
 * @returns {Promise<Record<string, unknown>[]>}
 */
export async function materializeDocuments(module, corpus) {
  const able = canMaterialize(module, corpus.provenance) ? module : await import('bson');
  return [...streamDocuments(/** @type {Bson} */ (able), corpus)];
}

/**
 * Creates the documents one by one, with a module that has everything needed.
 * @type {(bson: Bson, corpus: PreparedCorpus) => Generator<Record<string, unknown>>}
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

/** @param {object} module @param {PreparedCorpus['provenance']} provenance */
function canMaterialize(module, provenance) {
  if (provenance === 'deserialized') return 'deserialize' in module;
  if (provenance === 'literal') return LITERAL_CLASSES.every((name) => name in module);
  return 'EJSON' in module;
}

/**
 * V8 compiles the text like a literal in a source file, so the object gets the map of a literal.
 * @param {object} bson
 * @param {string} expression
 */
function evaluateLiteral(bson, expression) {
  const classes = LITERAL_CLASSES.map((name) => Reflect.get(bson, name));
  const build = new Function(...LITERAL_CLASSES, `'use strict'; return ${expression};`);
  return build(...classes);
}

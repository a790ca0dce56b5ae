import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { corpus as smallDoc } from '../../../corpora/driver-specification/small-doc.js';
import { corpus as comments } from '../../../corpora/mflix/comments.js';
import { corpus as theaters } from '../../../corpora/mflix/theaters.js';
import { corpus as users } from '../../../corpora/mflix/users.js';
import { FormatError } from '../../../harness/lib/errors.js';
import { readText } from '../../../harness/lib/files.js';
import { walkBson } from '../../support/walk-bson.js';
import { loadVectors } from '../vectors/vector-files.js';
import { Chance, randomDocument } from './documents.js';

/** @import { Codec } from '../vectors/read-bytes.js' */
/** @import { Level, Part } from '../../support/walk-bson.js' */

const RANDOM_COUNT = 600;
const DOCUMENTS_PER_CORPUS = 12;
/** Numbers of keys around the limits above which implementations treat objects differently. */
const WIDTHS = [20, 33, 40, 130, 260];
const MAX_KEY_LENGTH = 70;
/** Long documents are slow and find few additional problems. */
const MAX_RANDOM_BYTES = 600;
const MAX_VECTOR_BYTES = 2_000;

/**
 * Documents to mutate.
 * @typedef {object} Pool
 * @property {Seedling[]} seedlings random documents, the vectors of the family, valid or not, and
 *   documents like those of applications
 * @property {Seedling[]} cases earlier findings
 */

/**
 * @param {Codec} reference writes the random ones
 * @param {number} seed
 * @param {Uint8Array[]} cases
 * @returns {Pool}
 */
export function makePool(reference, seed, cases) {
  const vectors = loadVectors().flatMap(({ vectors: ofType }) => ofType.map(({ bytes }) => bytes));
  const short = vectors.filter(({ length }) => length <= MAX_VECTOR_BYTES);
  const fixed = [...short, ...writeCorpora(reference), ...writeWide(reference)];
  const seedlings = [...makeRandomDocuments(reference, seed), ...fixed];
  return { seedlings: seedlings.map(indexDocument), cases: cases.map(indexDocument) };
}

/** @type {(reference: Codec) => Uint8Array[]} documents of the corpora whose documents are short */
function writeCorpora(reference) {
  return [comments, smallDoc, theaters, users].flatMap(({ documents }) =>
    Array.from(documents(DOCUMENTS_PER_CORPUS), (document) => reference.serialize(document)),
  );
}

/** @type {(reference: Codec) => Uint8Array[]} documents with many keys, some of them long */
function writeWide(reference) {
  return WIDTHS.map((width) => {
    const keys = Array.from(
      { length: width },
      (_, index) => 'k'.repeat(1 + (index % MAX_KEY_LENGTH)) + index,
    );
    return reference.serialize(Object.fromEntries(keys.map((key, index) => [key, index])));
  });
}

/** @type {(reference: Codec, seed: number) => Uint8Array[]} */
function makeRandomDocuments(reference, seed) {
  const chance = new Chance(seed);
  /** @type {Uint8Array[]} */
  const documents = [];
  while (documents.length < RANDOM_COUNT) {
    const bytes = writeIfPossible(reference, randomDocument(chance, 3));
    if (bytes !== null && bytes.length <= MAX_RANDOM_BYTES) documents.push(bytes);
  }
  return documents;
}

/**
 * @param {Codec} reference
 * @param {object} document some hold values that cannot be written
 * @returns {Uint8Array | null}
 */
function writeIfPossible(reference, document) {
  try {
    return reference.serialize(document);
  } catch {
    return null;
  }
}

/** Cases that the fuzzer found, which the tests replay. */
export const OWN_CASES_PATH = join(import.meta.dirname, 'cases');

const REMEDY = 'keep only cases that the command fuzz wrote in that directory';

/**
 * A document on which a variant once differed from the reference, as written by `just fuzz`.
 * @typedef {object} FuzzCase
 * @property {string} name of the file
 * @property {Buffer} bytes
 * @property {Record<string, any>} options of `deserialize`
 * @property {Record<string, any>} writeOptions of `serialize`
 */

/**
 * Reads every `*.json` of a directory.
 * @type {(path: string) => FuzzCase[]} sorted by name; empty if the directory does not exist
 * @throws {FormatError} if a file cannot be read or is not a case
 */
export function loadCases(path) {
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => {
    const text = readText(join(path, name), `the case '${name}'`, REMEDY);
    return parseCase(name, text);
  });
}

/** @type {(name: string, text: string) => FuzzCase} */
function parseCase(name, text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new FormatError(`the case '${name}' is not valid JSON`, { cause, remedy: REMEDY });
  }
  const { hex, options, writeOptions = {} } = Object(content);
  const isHex = typeof hex === 'string' && hex.length % 2 === 0 && /^[0-9a-f]*$/i.test(hex);
  if (!isHex || typeof options !== 'object' || options === null) {
    throw new FormatError(`the case '${name}' lacks 'hex' (a document) or 'options' (an object)`, {
      remedy: REMEDY,
    });
  }
  return { name, bytes: Buffer.from(hex, 'hex'), options, writeOptions };
}

/**
 * A document to mutate, with the offsets of its parts.
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

/** Types whose value is a length followed by text with a terminator. */
const TEXT_TYPES = new Set(['string', 'code', 'symbol', 'code with scope']);
const SIZE_BYTES = 4;

/**
 * Finds the parts of a document. A broken document is indexed up to the error.
 * @type {(bytes: Uint8Array) => Seedling}
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

/** @param {Element} element @param {Part} part */
function extendElement(element, part) {
  if (part.name === 'key') element.keyEnd = part.end;
  element.end = part.end;
}

/** @param {Seedling} seedling @param {Part} part */
function notePlaces({ sizes, ends }, { name, start, end, type }) {
  const isLength = name === 'length' && end - start === SIZE_BYTES;
  if (name === 'size' || isLength) sizes.push(start);
  const isText = name === 'value' && TEXT_TYPES.has(type) && end > start;
  if (name === 'terminator' || name === 'key' || isText) ends.push(end - 1);
}

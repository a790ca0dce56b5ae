/**
 * Variations of the documents of a timed operation. A loop over the same documents also measures what an
 * implementation remembers of earlier calls: one that caches by identity or by content looks many times
 * faster. So one value of every document changes before each call, to another of the same type and size: the
 * work is the same, and the result of an earlier call is wrong. See decision 0027.
 */

import { isDate } from 'node:util/types';
import { splitBsonDocuments } from '../../corpora/support/document-files.js';
import { isSameFrame } from '../../harness/worker/frames.js';
import { walkBson } from './walk-bson.js';

/** @import { Part } from './walk-bson.js' */

/**
 * Values that a place of an object takes in turn. A prime number: output in memory that is used again after so
 * many calls would otherwise have been overwritten by the same value.
 */
export const VALUE_COUNT = 31;

/**
 * Documents to write. A timed loop sets `holders[index][keys[index]]` itself, to `values[index]` of the
 * turn modulo `VALUE_COUNT`, so that the document is touched once.
 */
export class DocumentVariations {
  /** @type {any[]} the object or array with the value */
  holders;
  /** @type {(string | number)[]} */
  keys;
  /** @type {unknown[][]} `VALUE_COUNT` values each, shared by places of the same kind */
  values;
  /** @type {unknown[]} */
  #originals;

  /** @param {object[]} documents a document without a suitable value does not vary */
  constructor(documents) {
    const places = documents.map(findPlace);
    this.holders = places.map(({ holder }) => holder);
    this.keys = places.map(({ key }) => key);
    this.values = places.map(({ values }) => values);
    this.#originals = places.map(({ holder, key }) => holder[key]);
  }

  /** @param {number} turn from 0 */
  apply(turn) {
    const { holders, keys, values } = this;
    for (let index = 0; index < holders.length; index++) {
      holders[index][keys[index]] = values[index][turn % VALUE_COUNT];
    }
  }

  restore() {
    const { holders, keys } = this;
    for (let index = 0; index < holders.length; index++) {
      holders[index][keys[index]] = this.#originals[index];
    }
  }
}

/** Lists with `VALUE_COUNT` members. */
const TURNS = Array.from({ length: VALUE_COUNT }, (_, turn) => turn);
const INTEGERS = TURNS.map((turn) => 1_000_003 + turn);
const FRACTIONS = TURNS.map((turn) => 1_000.25 + turn);
const DATES = TURNS.map((turn) => new Date(1_234_567_890_123 + turn));
const BOOLEANS = TURNS.map((turn) => turn % 2 === 0);
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEF';
/** A longer text would occupy the caches in many copies. */
const SHORT_TEXT = /^[ -~]{1,128}$/;
/** `__proto__` cannot be assigned, and the others can decide what a document is. */
const SPECIAL_KEY = /^(?:__proto__|_bsontype|\$.*)$/;

/** @type {Map<unknown, unknown[]>} by length of texts, and by class of ids */
const knownLists = new Map();

/**
 * Kinds of values that can vary, the best first. Small integers and short texts have the same
 * representation in V8 wherever they come from, so the first of either is taken.
 * @type {{ fits: (value: any) => boolean, listValues: (value: any) => unknown[] }[]}
 */
const KINDS = [
  {
    fits: (value) => isSmallInteger(value) || isShortText(value),
    listValues: (value) => (typeof value === 'number' ? INTEGERS : listTexts(value.length)),
  },
  { fits: isDate, listValues: () => DATES },
  { fits: (value) => Number.isFinite(value), listValues: () => FRACTIONS },
  { fits: (value) => typeof value === 'boolean', listValues: () => BOOLEANS },
  {
    // Up to bson 4 the class is called ObjectID.
    fits: (value) => /^ObjectI[dD]$/.test(value?._bsontype),
    listValues: ({ constructor }) => listIds(constructor),
  },
];

/**
 * Finds the value that varies: the first of the best kind, outer levels before inner ones.
 * @param {object} document
 * @returns {{ holder: any, key: string | number, values: unknown[] }} a place outside of the document if it
 *   has no such value
 */
function findPlace(document) {
  let best = KINDS.length;
  /** @type {ReturnType<typeof findPlace>} */
  let found = { holder: { value: 0 }, key: 'value', values: INTEGERS };
  /** @type {any[]} */
  const open = [document];
  for (const holder of open) {
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (isContainer(value)) open.push(value);
      const kind = KINDS.findIndex(({ fits }) => fits(value));
      if (kind === -1 || kind >= best || SPECIAL_KEY.test(key)) continue;
      best = kind;
      const values = KINDS[kind].listValues(value);
      found = { holder, key: Array.isArray(holder) ? Number(key) : key, values };
      if (best === 0) return found;
    }
  }
  return found;
}

/** @type {(value: unknown) => boolean} */
function isSmallInteger(value) {
  const isInt32 = typeof value === 'number' && (value | 0) === value;
  return isInt32 && !Object.is(value, -0);
}

/** @type {(value: unknown) => boolean} */
function isShortText(value) {
  return typeof value === 'string' && SHORT_TEXT.test(value);
}

/** @type {(value: unknown) => value is object} */
function isContainer(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** @param {number} length */
function listTexts(length) {
  return recall(length, () =>
    TURNS.map((turn) => {
      const letters = Array.from({ length }, (_, at) => LETTERS[(turn + 7 * at) % LETTERS.length]);
      // Flat, and internalized if short, like the texts of parsed documents.
      return JSON.parse(JSON.stringify(letters.join('')));
    }),
  );
}

/** @param {new (hex: string) => object} ObjectId */
function listIds(ObjectId) {
  return recall(ObjectId, () =>
    TURNS.map((turn) => new ObjectId((0x5a0000 + turn).toString(16).padStart(24, '5a'))),
  );
}

/** @type {(key: unknown, makeList: () => unknown[]) => unknown[]} */
function recall(key, makeList) {
  const list = knownLists.get(key) ?? makeList();
  knownLists.set(key, list);
  return list;
}

const PATTERN_BYTES = 4;

/**
 * Four bytes that may be any part of an ObjectId, a date, an int32, an int64 or ASCII text. There are about a
 * million of them, so that a cache by content does not find them again either.
 * @param {number} turn from 0
 * @returns {number} uint32
 */
export function patternOf(turn) {
  // Each byte is one of `@A-Z[\]^_`. The factor is 2^32 divided by the golden ratio.
  return 0x40404040 | (Math.imul(turn, 0x9e3779b1) & 0x1f1f1f1f);
}

/**
 * Documents to read. A timed loop writes `patternOf(turn)` to `offsets[index]` of `view` itself, as a uint32,
 * little endian.
 */
export class ByteVariations {
  /** @type {Buffer[]} */
  documents;
  /** @type {DataView} */
  view;
  /** @type {number[]} */
  offsets;
  /** @type {number[]} */
  #originals;

  /**
   * @param {Buffer} file documents, one after the other; one without suitable bytes does not vary
   * @param {(part: Part) => boolean} [isRead] parts of a document that an operation reads, if not all
   */
  constructor(file, isRead = () => true) {
    // Documents that do not vary have the pattern written after the last document.
    const bytes = Buffer.alloc(file.length + PATTERN_BYTES);
    file.copy(bytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.documents = [...splitBsonDocuments(bytes.subarray(0, file.length))];
    this.view = view;
    this.offsets = this.documents.map((document) => {
      const offset = findPatternOffset(document, isRead);
      return offset === null ? file.length : document.byteOffset - bytes.byteOffset + offset;
    });
    this.#originals = this.offsets.map((offset) => view.getUint32(offset, true));
  }

  /** @param {number} turn from 0 */
  apply(turn) {
    const { view, offsets } = this;
    const pattern = patternOf(turn);
    for (let index = 0; index < offsets.length; index++) {
      view.setUint32(offsets[index], pattern, true);
    }
  }

  restore() {
    const { view, offsets } = this;
    for (let index = 0; index < offsets.length; index++) {
      view.setUint32(offsets[index], this.#originals[index], true);
    }
  }
}

/** Types of which the first four bytes can be a pattern. Binary values share the memory of the input. */
const PLAIN_TYPES = ['objectId', 'date', 'int32', 'int64', 'timestamp', 'decimal128'];
/** Above this limit, the last four bytes of the significand may decide whether a double is a whole number. */
const MAX_FRACTION = 2 ** 20;

/** @type {(document: Buffer, isRead: (part: Part) => boolean) => number | null} offset of four bytes that can be any pattern */
function findPatternOffset(document, isRead) {
  for (const part of walkBson(document)) {
    const { name, type, start, end } = part;
    if (name !== 'value' || !isRead(part)) continue;
    const isPlain = PLAIN_TYPES.includes(type);
    // The last byte of a string is its terminator.
    const isText = type === 'string' && isAscii(document.subarray(start, end - 1));
    if (isPlain || isText || (type === 'double' && isFraction(document.readDoubleLE(start)))) {
      return start;
    }
  }
  return null;
}

/** @param {Buffer} text */
function isAscii(text) {
  const replaced = text.subarray(0, PATTERN_BYTES);
  return replaced.length === PATTERN_BYTES && replaced.every((byte) => byte > 0 && byte < 0x80);
}

/** @param {number} value */
function isFraction(value) {
  return !Number.isInteger(value) && Math.abs(value) < MAX_FRACTION;
}

/** @typedef {Pick<DocumentVariations, 'apply' | 'restore'>} Variations */

/**
 * The output of an operation for its original documents. The calls before, for variations, make a remembered
 * result one that differs.
 * @template Result
 * @param {Variations} variations
 * @param {number} count of documents
 * @param {(index: number) => Result} call of the operation
 * @param {(result: Result) => unknown} encode copies a result into a frame
 * @returns {unknown[]} a frame per document
 */
export function collectOutput(variations, count, call, encode) {
  for (const turn of [0, 1]) {
    variations.apply(turn);
    for (let index = 0; index < count; index++) call(index);
  }
  variations.restore();
  const frames = [];
  for (let index = 0; index < count; index++) frames.push(encode(call(index)));
  return frames;
}

/**
 * Results of one call, taken after a timed batch.
 * @template Result
 * @typedef {object} Sample
 * @property {number} turn
 * @property {Result[]} results the same result, possibly copied at once
 */

/**
 * Repeats the call of a sample. An implementation that works otherwise in timed calls than in those whose
 * output is checked gives another result.
 * @template Result
 * @param {Sample<Result> | null} sample null if no batch was timed
 * @param {Variations} variations
 * @param {() => Result} call of the operation for the document of the sample
 * @param {(result: Result) => unknown} encode
 * @returns {unknown[]} frames of wrong results, which the output must contain in addition, so that it
 *   differs from the reference's
 */
export function findWrongResults(sample, variations, call, encode) {
  if (sample === null) return [];
  // A result in memory that is used again has been overwritten by now.
  variations.apply(sample.turn + 1);
  call();
  const found = sample.results.map((result) => encode(result));
  variations.apply(sample.turn);
  const expected = encode(call());
  return found.filter((frame) => !isSameFrame(frame, expected));
}

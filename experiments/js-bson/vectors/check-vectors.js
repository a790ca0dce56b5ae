import { explainByteDifference, explainTextDifference } from '../../support/explain-difference.js';
import { withoutStackTraces } from '../../support/without-stack-traces.js';
import { EXACT, READINGS, isSameReading, nameError, readBytes } from './read-bytes.js';
import { loadVectors } from './vector-files.js';

/** @import { Vector, VectorFile } from './vector-files.js' */
/** @import { Codec } from './read-bytes.js' */
/** @import { Explanation } from '../../support/explain-difference.js' */

/**
 * @typedef {object} Outcome
 * @property {number} passed vectors without a failure
 * @property {Failure[]} failures at most one for each vector and check
 *
 * @typedef {Miss & { vector: string }} Failure `vector` is `double: minus zero`.
 */

/**
 * Checks a module against every vector.
 * @param {Codec} module namespace of a variant
 * @param {Codec} reference namespace of npm `bson`
 * @param {VectorFile[]} [files]
 * @returns {Outcome}
 * @throws {import('../../../harness/lib/errors.js').FormatError} if a file of vectors is invalid
 */
export function runVectors(module, reference, files = loadVectors()) {
  return withoutStackTraces(() => checkFiles(module, reference, files));
}

/** @type {(module: Codec, reference: Codec, files: VectorFile[]) => Outcome} */
function checkFiles(module, reference, files) {
  /** @type {Outcome} */
  const outcome = { passed: 0, failures: [] };
  for (const { type, vectors } of files) {
    for (const vector of vectors) {
      const misses = [...checkStated(module, vector), ...checkReadings(module, reference, vector)];
      if (misses.length === 0) outcome.passed++;
      const name = `${type}: ${vector.name}`;
      outcome.failures.push(...misses.map((miss) => ({ vector: name, ...miss })));
    }
  }
  return outcome;
}

/**
 * @typedef {Explanation & { check: string }} Miss
 *   `check` says what was tried; `path` is the place of the difference
 */

/** Checks what the vector itself states. @type {(codec: Codec, vector: Vector) => Miss[]} */
function checkStated(codec, vector) {
  if (vector.kind === 'decode-error') return checkRefusal(codec, vector);
  let value;
  try {
    value = codec.deserialize(vector.bytes, { ...EXACT, ...vector.options });
  } catch (error) {
    return [miss('decode', 'a value', `refused: ${String(error)}`)];
  }
  const misses = checkEncoding('encode', () => codec.serialize(value), vector.reencoded);
  return vector.kind === 'valid' ? [...misses, ...checkJson(codec, vector, value)] : misses;
}

/** @type {(codec: Codec, vector: Vector) => Miss[]} */
function checkRefusal(codec, vector) {
  /** @type {Miss[]} */
  const misses = [];
  for (const reading of vector.refusedBy) {
    try {
      codec.deserialize(vector.bytes, { ...READINGS[reading], ...vector.options });
      misses.push(miss(`decode, ${reading}`, 'refused', 'accepted'));
    } catch (error) {
      if (error instanceof Error || nameError(error).endsWith('Error')) continue;
      misses.push(miss(`decode, ${reading}`, 'an Error', nameError(error)));
    }
  }
  return misses;
}

/**
 * @param {string} check
 * @param {() => Uint8Array} encode
 * @param {Uint8Array | null} expected null if encoding must fail
 * @returns {Miss[]}
 */
function checkEncoding(check, encode, expected) {
  let found;
  try {
    found = encode();
  } catch (error) {
    return expected === null ? [] : [miss(check, 'bytes', `refused: ${String(error)}`)];
  }
  if (expected === null) return [miss(check, 'refused', 'bytes')];
  if (Buffer.compare(found, expected) === 0) return [];
  return [{ check, ...explainByteDifference(expected, found) }];
}

/**
 * @param {Codec} codec
 * @param {Vector} vector
 * @param {unknown} value decoded with exact types
 * @returns {Miss[]}
 */
function checkJson({ EJSON, serialize }, vector, value) {
  if (EJSON === undefined) return [];
  const { extendedJson, relaxedJson } = vector;
  const misses = checkText(
    'Extended JSON',
    () => EJSON.stringify(value, { relaxed: false }),
    extendedJson,
  );
  if (relaxedJson !== null) {
    misses.push(
      ...checkText('relaxed JSON', () => EJSON.stringify(value, { relaxed: true }), relaxedJson),
    );
  }
  if (extendedJson === null || vector.jsonIsLossy) return misses;
  const encode = () => serialize(EJSON.parse(extendedJson, { relaxed: false }));
  return [...misses, ...checkEncoding('encode from Extended JSON', encode, vector.bytes)];
}

/**
 * @param {string} check
 * @param {() => string} write
 * @param {string | null} expected null if writing must fail
 * @returns {Miss[]}
 */
function checkText(check, write, expected) {
  let found = null;
  try {
    found = write();
  } catch (error) {
    if (expected !== null) return [miss(check, expected, `refused: ${String(error)}`)];
  }
  return found === expected ? [] : [miss(check, expected ?? 'refused', found ?? 'refused')];
}

/** @type {(check: string, expected: string, found: string) => Miss} */
function miss(check, expected, found) {
  return { check, path: '(whole document)', expected, found };
}

/**
 * One way to decode some bytes.
 * @typedef {object} Attempt
 * @property {string} check its name
 * @property {Uint8Array} bytes
 * @property {object} options
 * @property {string} expected the outcome of the reference
 */

/** Attempts by reference, cached for many codecs. @type {WeakMap<Codec, WeakMap<Vector, Attempt[]>>} */
const known = new WeakMap();

/**
 * Decodes the document of a vector under all readings, whole and truncated at every byte.
 * @type {(codec: Codec, reference: Codec, vector: Vector) => Miss[]} differences from the reference
 */
function checkReadings(codec, reference, vector) {
  const attempts = known.get(reference) ?? new WeakMap();
  known.set(reference, attempts);
  const own = attempts.get(vector) ?? makeAttempts(reference, vector);
  attempts.set(vector, own);
  return own.flatMap(function checkOne({ check, expected, bytes, options }) {
    return compareReading(check, expected, readBytes(codec, bytes, options));
  });
}

/**
 * Compares two outcomes of reading the same bytes, as text.
 * @type {(check: string, expected: string, found: string) => Miss[]} at most one
 */
export function compareReading(check, expected, found) {
  if (isSameReading(expected, found)) return [];
  return [{ check, ...explainTextDifference(Buffer.from(expected), Buffer.from(found)) }];
}

/** @type {(reference: Codec, vector: Vector) => Attempt[]} */
function makeAttempts(reference, { bytes: whole, options: own }) {
  const readings = Object.entries(READINGS).map(([name, reading]) => ({
    check: `decode, ${name}`,
    bytes: whole,
    options: { ...reading, ...own },
  }));
  const cuts = cutDocument(whole).map((bytes) => ({
    check: `decode, cut to ${bytes.length} bytes`,
    bytes,
    options: own,
  }));
  return [...readings, ...cuts].map((attempt) => ({
    ...attempt,
    expected: readBytes(reference, attempt.bytes, attempt.options),
  }));
}

const MIN_DOCUMENT_BYTES = 5;

/**
 * Truncates a document at every length, with a corrected size and a terminator, so that it ends in
 * the middle of an element.
 * @type {(bytes: Uint8Array) => Uint8Array[]} shortest first; none if the bytes are too few for a document
 */
function cutDocument(bytes) {
  /** @type {Uint8Array[]} */
  const documents = [];
  for (let size = MIN_DOCUMENT_BYTES; size < bytes.length; size++) {
    const document = bytes.slice(0, size);
    new DataView(document.buffer).setInt32(0, size, true);
    document[size - 1] = 0;
    documents.push(document);
  }
  return documents;
}

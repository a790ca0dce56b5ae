import { explainTextDifference } from '../../support/explain-difference.js';
import { cutDocument } from './cut-document.js';
import { isSameReading, READINGS, readBytes } from './read-bytes.js';

/** @import { Vector } from './parse-vector.js' */
/** @import { Codec } from './read-bytes.js' */
/** @import { Miss } from './check-stated.js' */

/**
 * @typedef {object} Attempt one way to decode some bytes
 * @property {string} check its name
 * @property {Uint8Array} bytes
 * @property {object} options
 * @property {string} expected the outcome of the reference
 */

/**
 * Attempts by reference, cached for many codecs. @type {WeakMap<Codec, WeakMap<Vector, Attempt[]>>}
 */
const known = new WeakMap();

/**
 * Decodes the document of a vector under all readings, whole and truncated at every byte.
 *
 * @param {Codec} codec
 * @param {Codec} reference
 * @param {Vector} vector
 * @returns {Miss[]} Differences from the reference.
 */
export function checkReadings(codec, reference, vector) {
  const attempts = known.get(reference) ?? new WeakMap();
  known.set(reference, attempts);
  const own = attempts.get(vector) ?? makeAttempts(reference, vector);
  attempts.set(vector, own);
  return own.flatMap(function checkOne({ check, expected, bytes, options }) {
    return checkReading(check, codec, expected, bytes, options);
  });
}

/**
 * Decodes bytes under one reading.
 *
 * @param {string} check Its name.
 * @param {Codec} codec
 * @param {string} expected The outcome of the reference.
 * @param {Uint8Array} bytes
 * @param {object} options
 * @returns {Miss[]} At most one.
 */
export function checkReading(check, codec, expected, bytes, options) {
  const found = readBytes(codec, bytes, options);
  if (isSameReading(expected, found)) return [];
  return [{ check, ...explainTextDifference(Buffer.from(expected), Buffer.from(found)) }];
}

/**
 * @param {Codec} reference
 * @param {Vector} vector
 * @returns {Attempt[]}
 */
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

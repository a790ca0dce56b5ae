import { explainTextDifference } from '../../support/explain-difference.js';
import { cutDocument } from './cut-document.js';
import { isSameReading, READINGS, readBytes } from './read-bytes.js';

/** @import { Vector } from './parse-vector.js' */
/** @import { Codec } from './read-bytes.js' */
/** @import { Miss } from './check-stated.js' */

/**
 * @typedef {object} Attempt one way to decode some bytes
 * @property {string} check what to call it
 * @property {Uint8Array} bytes
 * @property {object} options
 * @property {string} expected what the reference makes of them
 */

/** Attempts by reference: many codecs are held against the same. @type {WeakMap<Codec, WeakMap<Vector, Attempt[]>>} */
const known = new WeakMap();

/**
 * Decodes the document of a vector in many ways, and cut short in all places.
 *
 * @param {Codec} codec
 * @param {Codec} reference
 * @param {Vector} vector
 * @returns {Miss[]} Where the outcome is not the reference's.
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
 * Decodes some bytes in one way.
 *
 * @param {string} check What to call it.
 * @param {Codec} codec
 * @param {string} expected What the reference makes of them.
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

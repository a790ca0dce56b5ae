import { explainTextDifference } from '../../support/explain-difference.js';
import { cutDocument } from './cut-document.js';
import { isSameReading, READINGS, readBytes } from './read-bytes.js';

/**
 * @typedef {import('./parse-vector.js').Vector} Vector
 * @typedef {import('./read-bytes.js').Codec} Codec
 * @typedef {import('./check-stated.js').Miss} Miss
 */

/**
 * Decodes the document of a vector in many ways.
 *
 * @param {Codec} codec
 * @param {Codec} reference
 * @param {Vector} vector
 * @returns {Miss[]} Where the outcome is not the reference's.
 */
export function checkReadings(codec, reference, vector) {
  return Object.entries(READINGS).flatMap(function checkOne([name, reading]) {
    const options = { ...reading, ...vector.options };
    return compareReadings(`decode, ${name}`, codec, reference, vector.bytes, options);
  });
}

/**
 * Decodes the document of a vector cut short in all places.
 *
 * @param {Codec} codec
 * @param {Codec} reference
 * @param {Vector} vector
 * @returns {Miss[]} Where the outcome is not the reference's.
 */
export function checkCuts(codec, reference, vector) {
  return cutDocument(vector.bytes).flatMap(function checkOne(bytes) {
    const check = `decode, cut to ${bytes.length} bytes`;
    return compareReadings(check, codec, reference, bytes, vector.options);
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
 * @param {string} check
 * @param {Codec} codec
 * @param {Codec} reference
 * @param {Uint8Array} bytes
 * @param {object} options
 * @returns {Miss[]}
 */
function compareReadings(check, codec, reference, bytes, options) {
  return checkReading(check, codec, readBytes(reference, bytes, options), bytes, options);
}

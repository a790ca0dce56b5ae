import { parseVector } from './parse-vector.js';
import { refuseUnless } from './refuse-unless.js';

/** @import { Fields } from './parse-vector.js' */
/** @import { Vector } from './parse-vector.js' */

/**
 * @typedef {object} VectorFile
 * @property {string} type
 * @property {string | null} typeByte Two hex digits.
 * @property {string} summary
 * @property {Vector[]} vectors
 */

/**
 * Reads one file of vectors; README.md beside this file documents the shape.
 *
 * @param {string} text JSON.
 * @param {string} fileName For messages.
 * @returns {VectorFile}
 * @throws {import('../../../harness/lib/errors.js').FormatError} With file, vector, field and
 *   expected value.
 */
export function parseVectorFile(text, fileName) {
  const file = parseJson(text, fileName);
  const { type, typeByte, summary, vectors } = file;
  refuseUnless(typeof type === 'string', fileName, '"type" must be a string');
  refuseUnless(typeof summary === 'string', fileName, '"summary" must be a string');
  const isTypeByte = typeByte === null || /^[0-9a-f]{2}$/.test(String(typeByte));
  refuseUnless(isTypeByte, fileName, '"typeByte" must be two hex digits or null');
  refuseUnless(Array.isArray(vectors), fileName, '"vectors" must be an array');

  const names = new Set();
  const parsed = /** @type {Fields[]} */ (vectors).map(function parseOne(fields, index) {
    const where = `${fileName}, vector ${index + 1}`;
    const vector = parseVector(fields, where);
    refuseUnless(!names.has(vector.name), where, `the name "${vector.name}" stands there twice`);
    names.add(vector.name);
    return vector;
  });
  return {
    type: String(type),
    typeByte: typeByte === null ? null : String(typeByte),
    summary: String(summary),
    vectors: parsed,
  };
}

/**
 * @param {string} text
 * @param {string} fileName
 * @returns {Fields}
 */
function parseJson(text, fileName) {
  try {
    return Object(JSON.parse(text));
  } catch (cause) {
    refuseUnless(false, fileName, `no JSON (${String(cause)})`, cause);
    return {};
  }
}

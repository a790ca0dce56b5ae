import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../../../harness/lib/errors.js';
import { isRecord } from '../../../harness/lib/records.js';

/**
 * Reads every `*.json` in a folder of vectors.
 * @param {string} [folder] by default the one of this file
 * @returns {VectorFile[]} sorted by file name
 * @throws {FormatError} if a file is invalid: with file, vector, field and expected value
 */
export function loadVectors(folder = import.meta.dirname) {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return names.map((name) => parseVectorFile(readFileSync(join(folder, name), 'utf8'), name));
}

/**
 * @typedef {object} VectorFile
 * @property {string} type
 * @property {string | null} typeByte two hex digits
 * @property {string} summary
 * @property {Vector[]} vectors
 */

/**
 * Parses a file of vectors; README.md in this folder documents the format.
 * @param {string} text JSON
 * @param {string} fileName for messages
 * @returns {VectorFile}
 * @throws {FormatError} with file, vector, field and expected value
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
    refuseUnless(!names.has(vector.name), where, `another vector has the name "${vector.name}"`);
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

/** @type {(text: string, fileName: string) => Fields} */
function parseJson(text, fileName) {
  try {
    return Object(JSON.parse(text));
  } catch (cause) {
    refuseUnless(false, fileName, `not valid JSON (${String(cause)})`, cause);
    return {};
  }
}

/**
 * @typedef {'valid' | 'degenerate' | 'decode-error'} Kind
 * @typedef {'default' | 'exact'} ReadingName
 *
 * @typedef {object} Vector
 * @property {string} name unique in its file
 * @property {Kind} kind
 * @property {Uint8Array} bytes
 * @property {object} options of `deserialize`; mostly empty
 * @property {string | null} extendedJson canonical; null if there is none
 * @property {string | null} relaxedJson
 * @property {boolean} jsonIsLossy whether parsing the Extended JSON gives different bytes
 * @property {Uint8Array | null} reencoded result of encoding; null if it must fail
 * @property {ReadingName[]} refusedBy readings that must throw
 */

/** @typedef {Record<string, unknown>} Fields */

/** @type {Record<Kind, { required: string[], optional: string[] }>} */
const FIELDS = {
  valid: { required: ['extendedJson'], optional: ['relaxed', 'jsonIsLossy'] },
  degenerate: { required: ['reencoded'], optional: [] },
  'decode-error': { required: [], optional: ['readings'] },
};

/**
 * @param {Fields} fields
 * @param {string} where file and position, for messages
 * @returns {Vector}
 */
function parseVector(fields, where) {
  const { name, kind, note = '', options = {} } = Object(fields);
  refuseUnless(typeof name === 'string' && name !== '', where, '"name" must be a string');
  const place = `${where} ("${name}")`;
  const kinds = Object.keys(FIELDS).join(', ');
  refuseUnless(Object.hasOwn(FIELDS, kind), place, `"kind" must be one of ${kinds}`);
  checkFieldNames(fields, FIELDS[/** @type {Kind} */ (kind)], place);
  refuseUnless(typeof note === 'string', place, '"note" must be a string');
  refuseUnless(isRecord(options), place, '"options" must be an object');

  const bytes = parseHex(fields['bson'], 'bson', place);
  const { reencoded, readings = ['default', 'exact'] } = fields;
  const areReadings =
    Array.isArray(readings) && readings.length > 0 && readings.every((one) => isReadingName(one));
  refuseUnless(areReadings, place, '"readings" must be an array of "default" and "exact"');
  const again = kind === 'valid' ? bytes : parseReencoded(reencoded, place);
  const isCanonical = kind === 'degenerate' && again !== null && Buffer.compare(again, bytes) === 0;
  refuseUnless(!isCanonical, place, '"reencoded" must differ from "bson": make it a valid vector');
  return {
    name,
    kind,
    bytes,
    options,
    extendedJson: showJson(fields['extendedJson']),
    relaxedJson: showJson(fields['relaxed']),
    jsonIsLossy: fields['jsonIsLossy'] === true,
    reencoded: again,
    refusedBy: kind === 'decode-error' ? /** @type {ReadingName[]} */ (readings) : [],
  };
}

/**
 * @param {Fields} fields
 * @param {{ required: string[], optional: string[] }} known
 * @param {string} place
 */
function checkFieldNames(fields, { required, optional }, place) {
  const needed = ['name', 'kind', 'bson', ...required];
  for (const field of needed) {
    refuseUnless(Object.hasOwn(fields, field), place, `"${field}" is missing`);
  }
  const allowed = new Set([...needed, ...optional, 'note', 'options']);
  for (const field of Object.keys(fields)) {
    refuseUnless(allowed.has(field), place, `"${field}" is not a field of this kind of vector`);
  }
}

/** @type {(value: unknown, place: string) => Uint8Array | null} */
function parseReencoded(value, place) {
  return value === null || value === undefined ? null : parseHex(value, 'reencoded', place);
}

/** @type {(value: unknown, field: string, place: string) => Uint8Array} */
function parseHex(value, field, place) {
  const digits = typeof value === 'string' ? value.replaceAll(' ', '') : '?';
  const isHex = /^(?:[0-9a-f]{2})*$/.test(digits);
  refuseUnless(
    isHex,
    place,
    `"${field}" must be pairs of lower-case hex digits, separated by spaces`,
  );
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

/** @type {(value: unknown) => string | null} */
function showJson(value) {
  return isRecord(value) ? JSON.stringify(value) : null;
}

/** @type {(value: unknown) => boolean} */
function isReadingName(value) {
  return value === 'default' || value === 'exact';
}

const REMEDY = 'See vectors/README.md for the format of these files.';

/**
 * @param {boolean} isRight
 * @param {string} where file, and vector if known
 * @param {string} what expected content
 * @param {unknown} [cause]
 * @throws {FormatError}
 */
function refuseUnless(isRight, where, what, cause) {
  if (!isRight) throw new FormatError(`${where}: ${what}`, { remedy: REMEDY, cause });
}

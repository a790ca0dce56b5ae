import { refuseUnless } from './refuse-unless.js';

/**
 * @typedef {'valid' | 'degenerate' | 'decode-error'} Kind
 * @typedef {'default' | 'exact'} ReadingName
 *
 * @typedef {object} Vector
 * @property {string} name Unique in its file.
 * @property {Kind} kind
 * @property {Uint8Array} bytes
 * @property {object} options For `deserialize`; empty for most.
 * @property {string | null} extendedJson Canonical; null if there is none.
 * @property {string | null} relaxedJson
 * @property {boolean} jsonIsLossy Reading the Extended JSON back gives different bytes.
 * @property {Uint8Array | null} reencoded Result of encoding; null if it must fail.
 * @property {ReadingName[]} refusedBy Readings that must throw.
 */

/** @typedef {Record<string, unknown>} Fields */

/** @type {Record<Kind, { required: string[], optional: string[] }>} */
const FIELDS = {
  valid: { required: ['extendedJson'], optional: ['relaxed', 'jsonIsLossy'] },
  degenerate: { required: ['reencoded'], optional: [] },
  'decode-error': { required: [], optional: ['readings'] },
};

/**
 * Reads one vector; README.md beside this file documents the shape.
 *
 * @param {Fields} fields
 * @param {string} where File and position, for messages.
 * @returns {Vector}
 * @throws {import('../../../harness/lib/errors.js').FormatError} With vector, field and expected
 *   value.
 */
export function parseVector(fields, where) {
  const { name, kind, note = '', options = {} } = Object(fields);
  refuseUnless(typeof name === 'string' && name !== '', where, '"name" must be a string');
  const place = `${where} ("${name}")`;
  const kinds = Object.keys(FIELDS).join(', ');
  refuseUnless(Object.hasOwn(FIELDS, kind), place, `"kind" must be one of ${kinds}`);
  checkFieldNames(fields, FIELDS[/** @type {Kind} */ (kind)], place);
  refuseUnless(typeof note === 'string', place, '"note" must be a string');
  refuseUnless(isObject(options), place, '"options" must be an object');

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
    refuseUnless(allowed.has(field), place, `"${field}" is no field of a vector of this kind`);
  }
}

/**
 * @param {unknown} value
 * @param {string} place
 * @returns {Uint8Array | null}
 */
function parseReencoded(value, place) {
  return value === null || value === undefined ? null : parseHex(value, 'reencoded', place);
}

/**
 * @param {unknown} value
 * @param {string} field
 * @param {string} place
 * @returns {Uint8Array}
 */
function parseHex(value, field, place) {
  const digits = typeof value === 'string' ? value.replaceAll(' ', '') : '?';
  const isHex = /^(?:[0-9a-f]{2})*$/.test(digits);
  refuseUnless(isHex, place, `"${field}" must be lower-case hex digits in pairs, parted by blanks`);
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

/**
 * @param {unknown} value
 * @returns {string | null}
 */
function showJson(value) {
  return isObject(value) ? JSON.stringify(value) : null;
}

/**
 * @param {unknown} value
 * @returns {boolean}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @returns {boolean}
 */
function isReadingName(value) {
  return value === 'default' || value === 'exact';
}

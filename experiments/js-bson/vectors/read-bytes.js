import { createHash } from 'node:crypto';
import { describeValue } from '../../../harness/worker/describe-value.js';

/**
 * The exports of a variant that the vectors use.
 * @typedef {object} Codec
 * @property {(document: any, options?: object) => Uint8Array} serialize
 * @property {(bytes: Uint8Array, options?: object) => any} deserialize
 * @property {ExtendedJson} [EJSON] checked if exported
 * @property {(bytes: Uint8Array) => Uint8Array} [bsonToJson] checked by fuzzing if exported
 * @property {(paths: string[][]) => (bytes: Uint8Array) => unknown[]} [makePicker] checked by fuzzing if exported
 * @property {import('../../../harness/formats/types.ts').VariantDescription} [variant]
 *
 * @typedef {object} ExtendedJson
 * @property {(value: any, options: { relaxed: boolean }) => string} stringify
 * @property {(text: string, options: { relaxed: boolean }) => any} parse
 */

/** Options that preserve all types, so that encoding is lossless. */
export const EXACT = { promoteValues: false, bsonRegExp: true };

/**
 * Options of `deserialize` under which every vector is decoded, by name. `fieldsAsRaw` names the keys
 * of arrays in vectors.
 * @type {Record<string, object>}
 */
export const READINGS = {
  default: {},
  exact: EXACT,
  'promoteValues: false': { promoteValues: false },
  'promoteLongs: false': { promoteLongs: false },
  'useBigInt64: true': { useBigInt64: true },
  'promoteBuffers: true': { promoteBuffers: true },
  'bsonRegExp: true': { bsonRegExp: true },
  'raw: true': { raw: true },
  'fieldsAsRaw: a, b, d': { fieldsAsRaw: { a: true, b: true, d: true } },
  'validation.utf8: false': { validation: { utf8: false } },
};

const REFUSED = '(decoding)\trefused\t';
const PROMISED_ERROR = 'BSONError';
const MAX_HEX_BYTES = 64 * 1024;

/**
 * The outcome of decoding bytes and encoding the result, as lines of text: the description of the
 * value, or the class of the error.
 * @type {(codec: Codec, bytes: Uint8Array, options: object) => string}
 */
export function readBytes(codec, bytes, options) {
  let value;
  try {
    value = codec.deserialize(bytes, options);
  } catch (error) {
    return `${REFUSED}${nameError(error)}`;
  }
  return `${describeValue(value)}\n(encoded again)\t${encodeAgain(codec, value)}`;
}

/**
 * Whether an outcome matches the reference's. If the reference fails with an undocumented error,
 * such as a RangeError, the documented BSONError also matches.
 * @type {(expected: string, found: string) => boolean}
 */
export function isSameReading(expected, found) {
  return found === expected || (expected.startsWith(REFUSED) && found === REFUSED + PROMISED_ERROR);
}

/** @type {(codec: Codec, value: unknown) => string} */
function encodeAgain(codec, value) {
  try {
    return `bytes\t${showBytes(codec.serialize(value))}`;
  } catch (error) {
    return `refused\t${nameError(error)}`;
  }
}

/** @type {(bytes: Uint8Array) => string} hex, or a digest of many bytes */
function showBytes(bytes) {
  if (bytes.length <= MAX_HEX_BYTES) return Buffer.from(bytes).toString('hex');
  return `${bytes.length} of sha256 ${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * The class of an error. Its message is not part of the contract.
 * @type {(error: unknown) => string}
 */
export function nameError(error) {
  const name = Object(error)['name'];
  return typeof name === 'string' ? name : 'not an error';
}

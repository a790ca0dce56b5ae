import { createHash } from 'node:crypto';
import { describeValue } from '../../support/describe-value.js';

/**
 * What a variant must export to be held against the vectors.
 *
 * @typedef {object} Codec
 * @property {(document: any, options?: object) => Uint8Array} serialize
 * @property {(bytes: Uint8Array, options?: object) => any} deserialize
 * @property {ExtendedJson} [EJSON] Checked where there is one.
 * @property {import('../../../harness/formats/types.ts').VariantDescription} [variant]
 *
 * @typedef {object} ExtendedJson
 * @property {(value: any, options: { relaxed: boolean }) => string} stringify
 * @property {(text: string, options: { relaxed: boolean }) => any} parse
 */

/** Options that keep every type apart from every other, so that encoding has all it needs. */
export const EXACT = { promoteValues: false, bsonRegExp: true };

/**
 * Ways to decode a document, by name. Those with `fieldsAsRaw` name the keys that vectors give to
 * arrays.
 *
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
const MOST_HEX_BYTES = 64 * 1024;

/**
 * All that can be seen of decoding some bytes and encoding the result again, as text of one fact a
 * line: the description of the value, or by which class of error it was refused.
 *
 * @param {Codec} codec
 * @param {Uint8Array} bytes
 * @param {object} options
 * @returns {string}
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
 * Whether a reading will do where the reference's is known. The same will; and where the reference
 * refuses by an error that merely happened to it, such as a RangeError, so does the BSONError that
 * its documentation promises.
 *
 * @param {string} expected
 * @param {string} found
 * @returns {boolean}
 */
export function isSameReading(expected, found) {
  return found === expected || (expected.startsWith(REFUSED) && found === REFUSED + PROMISED_ERROR);
}

/**
 * @param {Codec} codec
 * @param {unknown} value
 * @returns {string}
 */
function encodeAgain(codec, value) {
  try {
    return `bytes\t${showBytes(codec.serialize(value))}`;
  } catch (error) {
    return `refused\t${nameError(error)}`;
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} Hex, or a digest of bytes that nobody would read.
 */
function showBytes(bytes) {
  if (bytes.length <= MOST_HEX_BYTES) return Buffer.from(bytes).toString('hex');
  return `${bytes.length} of sha256 ${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * Class of an error. The message is left out, because it is no part of the contract.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function nameError(error) {
  const name = Object(error)['name'];
  return typeof name === 'string' ? name : 'something that is no error';
}

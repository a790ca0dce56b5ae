import { readInt32 } from './numbers.js';
import { BSONError } from './values.js';
import { readUtf8Checks } from './utf8-checks.js';

/**
 * The bytes, the current position and the options. One per call of `deserialize`. Whether code
 * compares an option with `false` or `true` or only tests it follows bson.
 * @typedef {object} Reader
 * @property {Buffer} bytes
 * @property {number} index of the next byte
 * @property {(bytes: Uint8Array, offset: number) => any} readObjectId of the variant
 * @property {any} raw embedded documents stay bytes
 * @property {any} fieldsAsRaw names of arrays whose documents stay bytes, or null
 * @property {boolean} bsonRegExp
 * @property {any} promoteBuffers
 * @property {any} promoteLongs
 * @property {any} promoteValues
 * @property {any} useBigInt64
 * @property {boolean} validate whether invalid UTF-8 is an error
 * @property {Set<unknown> | null} namedKeys root keys to which `validate` applies, all others get
 *   the opposite; null where it applies to all
 */

/** Size and terminator. */
const SMALLEST_DOCUMENT_BYTES = 5;

/**
 * Checks the size of the whole document and the options.
 * @param {Buffer} bytes
 * @param {any} options of `deserialize`
 * @param {Reader['readObjectId']} readObjectId
 * @returns {Reader} positioned before the document
 * @throws {BSONError}
 */
export function openReader(bytes, options, readObjectId) {
  const given = options == null ? {} : options;
  const index = given.index ? given.index : 0;
  checkDocumentSize(bytes, index, given.allowObjectSmallerThanBufferSize);
  // Own properties only, so that a polluted Object.prototype turns no option on.
  const own = { ...given };
  const { fieldsAsRaw, raw, bsonRegExp, validation } = own;
  const promoteLongs = own.promoteLongs ?? true;
  const promoteValues = own.promoteValues ?? true;
  const useBigInt64 = own.useBigInt64 ?? false;
  if (useBigInt64 && !(promoteValues && promoteLongs)) {
    throw new BSONError('useBigInt64 needs promoteValues and promoteLongs: drop one of them');
  }
  const utf8 = validation == null ? true : validation.utf8;
  const checks = typeof utf8 === 'boolean' ? null : readUtf8Checks(utf8);
  return {
    bytes,
    index,
    readObjectId,
    raw: raw ?? false,
    fieldsAsRaw: fieldsAsRaw ?? null,
    bsonRegExp: bsonRegExp === true,
    promoteBuffers: own.promoteBuffers ?? false,
    promoteLongs,
    promoteValues,
    useBigInt64,
    validate: checks === null ? utf8 : checks.validate,
    namedKeys: checks === null ? null : checks.keys,
  };
}

/**
 * The same without options.
 * @type {(bytes: Buffer, readObjectId: Reader['readObjectId']) => Reader}
 */
export function openDefaultReader(bytes, readObjectId) {
  checkDocumentSize(bytes, 0, false);
  return {
    bytes,
    index: 0,
    readObjectId,
    raw: false,
    fieldsAsRaw: null,
    bsonRegExp: false,
    promoteBuffers: false,
    promoteLongs: true,
    promoteValues: true,
    useBigInt64: false,
    validate: true,
    namedKeys: null,
  };
}

/**
 * @param {Buffer} bytes
 * @param {number} index
 * @param {unknown} mayBeSmaller whether bytes may follow the document
 */
function checkDocumentSize(bytes, index, mayBeSmaller) {
  const sizeBytes = readInt32(bytes, index);
  if (sizeBytes < SMALLEST_DOCUMENT_BYTES) {
    throw new BSONError(`a document has at least 5 bytes, this one says ${sizeBytes}`);
  }
  if (mayBeSmaller ? bytes.length < sizeBytes : bytes.length !== sizeBytes) {
    throw new BSONError(`the document says ${sizeBytes} bytes, the buffer has ${bytes.length}`);
  }
  if (index + sizeBytes > bytes.length) {
    throw new BSONError(
      `the document of ${sizeBytes} bytes at index ${index} ends beyond the buffer of ${bytes.length}`,
    );
  }
  if (bytes[index + sizeBytes - 1] !== 0) {
    throw new BSONError('the last byte of the document is not 0');
  }
}

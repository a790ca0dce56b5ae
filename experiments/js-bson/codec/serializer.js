import { writeInt32 } from './numbers.js';
import { checkRoot } from './write-container.js';

/** @import { Rules } from './write-container.js' */
/**
 * A traversal: writes a whole document at offset 0 and returns its size.
 * @typedef {(bytes: Buffer, document: object, rules: Rules) => number} WriteDocument
 */

/** MongoDB's limit of 16 MiB for a document and room for a command around it; as in bson. */
const DEFAULT_SCRATCH_BYTES = 17 * 1024 * 1024;
const EMPTY_DOCUMENT_BYTES = 5;
const NO_BYTES = Buffer.alloc(0);

/** An intentional difference from bson, for the descriptions of variants. */
export const REFUSES_OVERFLOW =
  'A document whose last values exceed the internal buffer is rejected with a RangeError; bson returns bytes that it never wrote.';

/**
 * Creates the public functions that write BSON from a traversal. Every document is written into one
 * buffer and copied out, as in bson; a toBSON that calls serialize overwrites it, as in bson.
 * @param {WriteDocument} writeDocument
 */
export function makeSerializer(writeDocument) {
  // Allocated when it is first needed.
  let scratch = NO_BYTES;

  function allocateScratch() {
    if (scratch === NO_BYTES) scratch = Buffer.alloc(DEFAULT_SCRATCH_BYTES);
  }

  /**
   * @param {any} document
   * @param {import('bson').SerializeOptions} options
   * @returns {number} size in bytes of the document in the scratch buffer
   */
  function writeIntoScratch(document, options) {
    allocateScratch();
    const sizeBytes =
      document == null ? writeEmptyDocument(scratch) : writeChecked(document, options);
    if (sizeBytes <= scratch.length) return sizeBytes;
    throw new RangeError(
      `the document needs more than the internal buffer of ${scratch.length} bytes: raise minInternalBufferSize`,
    );
  }

  /** @type {(document: any, options: import('bson').SerializeOptions) => number} */
  function writeChecked(document, options) {
    checkRoot(document);
    return writeDocument(scratch, document, readRules(options));
  }

  /** Makes room for larger documents, permanently. @param {number} sizeBytes */
  function setInternalBufferSize(sizeBytes) {
    allocateScratch();
    if (scratch.length < sizeBytes) scratch = Buffer.alloc(sizeBytes);
  }

  /**
   * Writes a document as BSON.
   * @param {any} document object or Map; null and undefined become the empty document
   * @param {import('bson').SerializeOptions} [options] those of bson; `minInternalBufferSize` grows
   *   the internal buffer permanently
   * @returns {Buffer} a new buffer
   * @throws {import('bson').BSONError} if the document cannot be written
   * @throws {RangeError} if it exceeds the internal buffer
   */
  function serialize(document, options = {}) {
    const { minInternalBufferSize } = /** @type {{ minInternalBufferSize?: unknown }} */ (options);
    if (typeof minInternalBufferSize === 'number') setInternalBufferSize(minInternalBufferSize);
    const sizeBytes = writeIntoScratch(document, options);
    const result = Buffer.allocUnsafe(sizeBytes);
    result.set(scratch.subarray(0, sizeBytes), 0);
    return result;
  }

  /**
   * Writes a document as BSON into the caller's buffer.
   * @param {any} document as for `serialize`
   * @param {Uint8Array} target
   * @param {import('bson').SerializeOptions} [options] those of bson; `index` is the start offset
   * @returns {number} index of the last byte written
   * @throws {RangeError} if the target is too small
   */
  function serializeWithBufferAndIndex(document, target, options = {}) {
    const start = typeof options.index === 'number' ? options.index : 0;
    const sizeBytes = writeIntoScratch(document, options);
    target.set(scratch.subarray(0, sizeBytes), start);
    return start + sizeBytes - 1;
  }

  return { serialize, serializeWithBufferAndIndex, setInternalBufferSize };
}

/** @type {(options: import('bson').SerializeOptions) => Rules} */
export function readRules(options) {
  const { checkKeys, ignoreUndefined, serializeFunctions } = options;
  return {
    checkKeys: typeof checkKeys === 'boolean' ? checkKeys : false,
    ignoreUndefined: typeof ignoreUndefined === 'boolean' ? ignoreUndefined : true,
    serializeFunctions: typeof serializeFunctions === 'boolean' ? serializeFunctions : false,
  };
}

/** @type {(bytes: Buffer) => number} */
function writeEmptyDocument(bytes) {
  writeInt32(bytes, 0, EMPTY_DOCUMENT_BYTES);
  bytes[EMPTY_DOCUMENT_BYTES - 1] = 0;
  return EMPTY_DOCUMENT_BYTES;
}

import { deserialize as bsonDeserialize, serialize as bsonSerialize } from 'bson';
import { makeDeserializer, viewAsBuffer } from '../codec/deserializer.js';
import { openDefaultReader, openReader } from '../codec/reader.js';
import { makeSerializer, readRules } from '../codec/serializer.js';
import { BSONError } from '../codec/values.js';
import { checkRoot } from '../codec/write-container.js';
import { readDocument as readLinked } from '../traversals/read-linked-list.js';
import { writeDocument as writeLinked } from '../traversals/write-linked-list.js';
import { isWhole, readByShape, readWhole } from './read.js';
import { bytes as scratch } from './scratch.js';
import { UNUSUAL, serializeByShape, setObjectId, writeByShape } from './write.js';

/** @import { ObjectIds } from '../codec/make-codec.js' */
/** @import { Rules } from '../codec/write-container.js' */

/** @type {Rules} */
const USUAL_RULES = Object.freeze({
  checkKeys: false,
  ignoreUndefined: true,
  serializeFunctions: false,
});

/** In Node, each use of the global is a call of a getter. */
const { isBuffer } = Buffer;

const NO_DOCUMENT = Buffer.from([5, 0, 0, 0, 0]);

/** The public functions of the champion. @param {ObjectIds} objectIds */
export function makeChampion({ ObjectId, readObjectId }) {
  const slow = {
    ...makeSerializer(writeLinked),
    ...makeDeserializer(readLinked, readObjectId),
  };
  setObjectId(ObjectId);
  /** Of calls without options. */
  const usualReader = openDefaultReader(NO_DOCUMENT, readObjectId);

  /**
   * @template T
   * @param {(document: any, rules: Rules) => T} writeBy
   * @param {any} document
   * @param {import('bson').SerializeOptions | undefined} options
   * @returns {T | null} null for what the loop over linked frames shall write or refuse
   */
  function write(writeBy, document, options) {
    const rules = options === undefined ? USUAL_RULES : readUsualRules(options);
    if (isBusy || rules === null || !isDocument(document)) return null;
    isBusy = true;
    try {
      return writeBy(document, rules);
    } catch (error) {
      if (!isOurs(error)) throw error;
      return null;
    } finally {
      isBusy = false;
    }
  }

  /** Writes a document as BSON. @type {typeof slow.serialize} */
  function serialize(document, options) {
    try {
      return write(serializeByShape, document, options) ?? slow.serialize(document, options);
    } catch (error) {
      throw nameError(error, () => bsonSerialize(document, options));
    }
  }

  /**
   * Writes a document as BSON into the caller's buffer.
   * @type {typeof slow.serializeWithBufferAndIndex}
   */
  function serializeWithBufferAndIndex(document, target, options) {
    try {
      const size = write(writeByShape, document, options);
      if (size === null) return slow.serializeWithBufferAndIndex(document, target, options);
      const start = typeof options?.index === 'number' ? options.index : 0;
      target.set(scratch.subarray(0, size), start);
      return start + size - 1;
    } catch (error) {
      throw nameError(error, () => bsonSerialize(document, options));
    }
  }

  /** Reads a document from its BSON. @type {typeof slow.deserialize} */
  function deserialize(bytes, options) {
    try {
      return read(bytes, options);
    } catch (error) {
      throw nameError(error, () => bsonDeserialize(/** @type {any} */ (bytes), options));
    }
  }

  /** @type {typeof slow.deserialize} */
  function read(bytes, options) {
    if (isBusy) return slow.deserialize(bytes, options);
    const buffer = isBuffer(bytes) ? bytes : viewAsBuffer(bytes);
    if (options === undefined && isWhole(buffer)) return readUsual(buffer);
    const reader = openReader(buffer, options, readObjectId);
    isBusy = true;
    try {
      return readByShape(reader);
    } finally {
      isBusy = false;
    }
  }

  /** @type {(buffer: Buffer) => any} */
  function readUsual(buffer) {
    isBusy = true;
    usualReader.bytes = buffer;
    try {
      return readWhole(usualReader);
    } finally {
      isBusy = false;
      usualReader.bytes = NO_DOCUMENT;
    }
  }

  return {
    serialize,
    serializeWithBufferAndIndex,
    setInternalBufferSize: slow.setInternalBufferSize,
    deserialize,
    ObjectId,
  };
}

/**
 * Whether the scratch buffer is in use: a toBSON or getter, a method of the input or a setter of Object.prototype may
 * serialize and deserialize, too.
 */
let isBusy = false;

/** @type {() => boolean} */
export function isScratchInUse() {
  return isBusy;
}

/**
 * The error of bson for the same call, whose text programs may know; the given one where bson has none.
 * @type {(error: unknown, call: () => void) => unknown}
 */
function nameError(error, call) {
  if (!(error instanceof BSONError)) return error;
  try {
    call();
  } catch (theirs) {
    if (theirs instanceof BSONError) return theirs;
  }
  return error;
}

/**
 * Whether the loop over linked frames shall decide, also where the stack is too small. In a vm context, errors of Node
 * are of another realm.
 * @type {(error: any) => boolean}
 */
function isOurs(error) {
  return error === UNUSUAL || error?.name === 'RangeError';
}

/** @type {(document: any) => boolean} whether it can be written by its shape */
function isDocument(document) {
  if (document === null || document === undefined || hasForeignProperties()) return false;
  if (Object.getPrototypeOf(document) === Object.prototype && document._bsontype === undefined) {
    return true;
  }
  checkRoot(document);
  return true;
}

/** @type {any[]} */
const [TEXT, NUMBER, TRUTH, BIG, MARK] = [String, Number, Boolean, BigInt, Symbol].map(
  ({ prototype }) => prototype,
);

/** Whether Object.prototype has enumerable properties, or primitive values have been given a toBSON. */
function hasForeignProperties() {
  for (const _key in Object.prototype) return true;
  return (
    TEXT.toBSON !== undefined ||
    NUMBER.toBSON !== undefined ||
    TRUTH.toBSON !== undefined ||
    BIG.toBSON !== undefined ||
    MARK.toBSON !== undefined
  );
}

/** @type {(options: any) => Rules | null} null for those of the loop over linked frames */
function readUsualRules(options) {
  if (typeof options.minInternalBufferSize === 'number') return null;
  const rules = readRules(options);
  return rules.checkKeys || rules.serializeFunctions ? null : rules;
}

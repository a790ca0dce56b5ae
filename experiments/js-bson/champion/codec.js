import { makeDeserializer, viewAsBuffer } from '../codec/deserializer.js';
import { makeEjson } from '../codec/make-ejson.js';
import { openDefaultReader, openReader } from '../codec/reader.js';
import { makeSerializer, readRules } from '../codec/serializer.js';
import { checkRoot } from '../codec/write-container.js';
import { readDocument as readLinked } from '../traversals/read-linked-list.js';
import { writeDocument as writeLinked } from '../traversals/write-linked-list.js';
import { readByShape } from './read.js';
import { UNUSUAL, setObjectId, writeByShape } from './write.js';

/** @import { ObjectIds } from '../codec/make-codec.js' */
/** @import { Rules } from '../codec/write-container.js' */

/** As Node's own pool for small buffers, so that a short result keeps as little alive. */
const POOL_BYTES = 8 * 1024;
const LARGEST_POOLED = POOL_BYTES / 2;
/** Room that the writer wants after a document. */
const SLACK_BYTES = 16;
const SCRATCH_BYTES = 17 * 1024 * 1024;

/** @type {Rules} */
const USUAL_RULES = Object.freeze({
  checkKeys: false,
  ignoreUndefined: true,
  serializeFunctions: false,
});

/**
 * The public functions of the champion.
 *
 * @param {ObjectIds} objectIds
 */
export function makeChampion({ ObjectId, readObjectId }) {
  const slow = {
    ...makeSerializer(writeLinked),
    ...makeDeserializer(readLinked, readObjectId),
  };
  setObjectId(ObjectId);
  const scratch = makeTarget(SCRATCH_BYTES);
  let pool = makeTarget(POOL_BYTES);
  let used = 0;
  /** Size of the next document: the largest of late, which decays. */
  let expected = 0;
  /** Whether a toBSON, which may serialize too, can be on the stack. */
  let isBusy = false;

  /** @type {(document: any, rules: Rules) => Buffer} */
  function write(document, rules) {
    if (expected < LARGEST_POOLED) {
      if (POOL_BYTES - used < expected + SLACK_BYTES) {
        pool = makeTarget(POOL_BYTES);
        used = 0;
      }
      const pooled = writePooled(document, rules);
      if (pooled !== null) return pooled;
    }
    const size = writeByShape(scratch.bytes, scratch.view, 0, document, rules);
    const result = Buffer.allocUnsafe(size);
    scratch.bytes.copy(result, 0, 0, size);
    expect(size);
    return result;
  }

  /** @type {(size: number) => void} */
  function expect(size) {
    expected = Math.max(size, expected - (expected >> 4));
  }

  /** @type {(document: any, rules: Rules) => Buffer | null} null if it does not fit */
  function writePooled(document, rules) {
    try {
      const end = writeByShape(pool.bytes, pool.view, used, document, rules);
      const result = pool.bytes.subarray(used, end);
      expect(end - used);
      used = end;
      return result;
    } catch (error) {
      if (isOurs(error)) return null;
      throw error;
    }
  }

  /**
   * Writes a document as BSON.
   * @type {typeof slow.serialize}
   */
  function serialize(document, options) {
    const rules = options === undefined ? USUAL_RULES : readUsualRules(options);
    if (isBusy || rules === null || !isDocument(document)) return slow.serialize(document, options);
    isBusy = true;
    try {
      return write(document, rules);
    } catch (error) {
      if (!isOurs(error)) throw error;
    } finally {
      isBusy = false;
    }
    return slow.serialize(document, options);
  }

  /**
   * Reads a document from its BSON.
   * @type {typeof slow.deserialize}
   */
  function deserialize(bytes, options) {
    const buffer = viewAsBuffer(bytes);
    return readByShape(
      options === undefined
        ? openDefaultReader(buffer, readObjectId)
        : openReader(buffer, options, readObjectId),
    );
  }

  const { serializeWithBufferAndIndex } = slow;
  return {
    serialize,
    serializeWithBufferAndIndex,
    deserialize,
    ObjectId,
    EJSON: makeEjson(ObjectId),
  };
}

/** @type {(size: number) => { bytes: Buffer, view: DataView }} */
function makeTarget(size) {
  const bytes = Buffer.allocUnsafeSlow(size);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** @type {(error: unknown) => boolean} whether the loop over linked frames shall decide */
function isOurs(error) {
  return error === UNUSUAL || error instanceof RangeError;
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

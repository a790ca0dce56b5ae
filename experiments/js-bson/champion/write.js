import {
  ARRAY,
  BINARY,
  BOOLEAN,
  CODE,
  CODE_WITH_SCOPE,
  DATE,
  DECIMAL128,
  DOUBLE,
  END_OF_DOCUMENT,
  INT32,
  INT64,
  MAX_KEY,
  MIN_KEY,
  NULL,
  OBJECT,
  OBJECT_ID,
  REGULAR_EXPRESSION,
  STRING,
  TIMESTAMP,
} from '../codec/element-types.js';
import { isMap } from '../codec/kinds.js';
import {
  BSONRegExp,
  BSONValue,
  Binary,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  Timestamp,
} from '../codec/values.js';
import { copyContent } from '../codec/write-bytes.js';
import {
  ENTER_DBREF,
  ENTER_DOCUMENT,
  listDbRefFields,
  resolveDocument,
  rulesOfDbRef,
} from '../codec/write-container.js';
import { writeElement } from '../codec/write-element.js';
import { bytes as scratch, view as scratchView } from './scratch.js';
import { ShapeTrie, UNKNOWN } from './shapes.js';

/** @import { Rules } from '../codec/write-container.js' */
/** @import { Shape } from './shapes.js' */

/** Thrown for what only the loop over linked frames can write, or refuse with the right error. */
export const UNUSUAL = Symbol('unusual');

/** Deeper documents, and those that contain themselves, are written without recursion. */
const DEEPEST_RECURSION = 1000;
/**
 * An object parsed from JSON with more keys is a dictionary. V8 enumerates it slowly, and one of them makes a loop
 * with `in` slow for all objects that come after it.
 */
const MOST_ENUMERATED_KEYS = 127;
/**
 * Keys that are numbers, which V8 keeps apart from the others, are enumerated slowly, too.
 * @type {(key: string) => boolean}
 */
function startsWithDigit(key) {
  const first = key.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}

/** Trust in the root of objects whose keys are known; objects with others cost twice as much as such ones earn. */
const MOST_TRUST = 64;
const COST_OF_OTHER_KEYS = 2;
/** Of the keys of an object, at most so many are not those that followed last time. */
const MOST_OTHER_KEYS = 1 / 4;
/** Objects written without the trie when there is no trust left. */
const OBJECTS_WITHOUT_TRUST = 4096;

/** Up to this many characters, a loop is faster than a call into the runtime. */
const LONGEST_LOOP = 20;
/** Of a UTF-16 code unit. */
const MOST_UTF8_BYTES = 3;
const LAST_ASCII = 0x7f;
const TWO_32 = 2 ** 32;
const DECIMAL128_BYTES = 16;

const { getPrototypeOf } = Object;
const OBJECT_PROTOTYPE = Object.prototype;
const DATE_PROTOTYPE = Date.prototype;
const BINARY_PROTOTYPE = Binary.prototype;
const CODE_PROTOTYPE = Code.prototype;
const DECIMAL128_PROTOTYPE = Decimal128.prototype;
const DOUBLE_PROTOTYPE = Double.prototype;
const INT32_PROTOTYPE = Int32.prototype;
const LONG_PROTOTYPE = Long.prototype;
const TIMESTAMP_PROTOTYPE = Timestamp.prototype;
const MIN_KEY_PROTOTYPE = MinKey.prototype;
const MAX_KEY_PROTOTYPE = MaxKey.prototype;
const REGEXP_PROTOTYPE = BSONRegExp.prototype;

/** Property by which bson knows values of its other major versions, and refuses them. */
const VERSION = Symbol.for('@@mdb.bson.version');
const CURRENT = 7;

/** So many documents are written without a trie, which takes longer to make than it saves by the tenth. */
const FIRST_DOCUMENTS = 12;

const shapes = new ShapeTrie(FIRST_DOCUMENTS);

/** The class of the ids that are written directly. */
let DirectId = /** @type {any} */ (null);
let idPrototype = /** @type {any} */ (null);

/** @type {(ObjectId: { prototype: any }) => void} */
export function setObjectId(ObjectId) {
  DirectId = ObjectId;
  idPrototype = ObjectId.prototype;
}

/** Where the document is being written. */
let bytes = scratch;
let view = scratchView;
/** Offset from which on there may be no room for one more key and number. */
let limit = 0;
/** Bytes for what is written between two comparisons with the limit. */
const SLACK_BYTES = 256;

/**
 * Small documents are written where they stay: in parts of Node's pool, as results of allocUnsafe are. That takes
 * less time than a copy.
 */
const SLAB_BYTES = 4095;
/** Larger documents are given memory by Node, beside which a slab would leave too much of the pool unused. */
const LARGEST_IN_SLAB = 1024;
let slab = scratch.subarray(0, 0);
let slabView = scratchView;
/** Bytes of the slab in results, a multiple of eight. */
let usedBytes = 0;
/** Size of the largest of the last documents, which sinks by an eighth with each smaller one. */
let recentBytes = SLAB_BYTES;

/**
 * Writes a document, by recursion and along the keys of earlier ones.
 * @param {any} document
 * @param {Rules} rules neither `checkKeys` nor `serializeFunctions`
 * @returns {Buffer} a new one
 * @throws {typeof UNUSUAL} for what is to be written by the loop over linked frames
 */
export function serializeByShape(document, rules) {
  if (recentBytes + SLACK_BYTES > slab.length - usedBytes) {
    return copyResult(writeByShape(document, rules));
  }
  bytes = slab;
  view = slabView;
  limit = slab.length - SLACK_BYTES;
  const start = usedBytes;
  const end = writeRoot(document, start, rules);
  noteSize(end - start);
  if (bytes !== slab) return copyResult(end - start, start);
  usedBytes = (end + 7) & ~7;
  return slab.subarray(start, end);
}

/** @type {(size: number) => void} */
function noteSize(size) {
  recentBytes = Math.max(size, recentBytes - (recentBytes >> 3));
}

/** @type {(size: number, start?: number) => Buffer} a new buffer with bytes of the scratch buffer */
function copyResult(size, start = 0) {
  if (size > slab.length - usedBytes) {
    if (recentBytes > LARGEST_IN_SLAB || Buffer.poolSize <= 2 * SLAB_BYTES) {
      const result = Buffer.allocUnsafe(size);
      scratch.copy(result, 0, start, start + size);
      return result;
    }
    openSlab();
  }
  const from = usedBytes;
  scratch.copy(slab, from, start, start + size);
  usedBytes = (from + size + 7) & ~7;
  return slab.subarray(from, from + size);
}

/** Takes the next part of Node's pool, and with it what is left of the part before. */
function openSlab() {
  const next = Buffer.allocUnsafe(SLAB_BYTES);
  const { buffer, byteOffset: nextStart } = next;
  const end = slab.byteOffset + slab.length;
  // Parts of the pool begin at multiples of eight.
  const isAdjacent = buffer === slab.buffer && nextStart === ((end + 7) & ~7);
  const start = isAdjacent ? slab.byteOffset + usedBytes : nextStart;
  slab = Buffer.from(buffer, start, nextStart + SLAB_BYTES - start);
  slabView = new DataView(buffer, start, slab.length);
  usedBytes = 0;
}

/**
 * Writes a document into the scratch buffer, see `serializeByShape`.
 * @param {any} document
 * @param {Rules} rules
 * @returns {number} size in bytes
 * @throws {typeof UNUSUAL}
 */
export function writeByShape(document, rules) {
  bytes = scratch;
  view = scratchView;
  limit = scratch.length - SLACK_BYTES;
  const size = writeRoot(document, 0, rules);
  noteSize(size);
  return size;
}

/** Goes on in the scratch buffer. @type {(at: number, sizeBytes: number) => void} */
function makeRoom(at, sizeBytes) {
  if (bytes === slab) {
    // At the same offset, so that all offsets stay right.
    slab.copy(scratch, usedBytes, usedBytes, at);
    bytes = scratch;
    view = scratchView;
    limit = scratch.length - SLACK_BYTES;
  }
  if (at + sizeBytes > limit) throw UNUSUAL;
}

/** @type {(document: any, start: number, rules: Rules) => number} offset after the document */
function writeRoot(document, start, rules) {
  if (getPrototypeOf(document) !== OBJECT_PROTOTYPE && isMap(document)) {
    return writeMap(document, start, rules, 0);
  }
  return writeObject(resolveDocument(document), start, shapes.begin(), rules, 0);
}

/** @type {(object: any, start: number, root: Shape, rules: Rules, depth: number) => number} of any object */
function writeObject(object, start, root, rules, depth) {
  if (rules.ignoreUndefined && getPrototypeOf(object) === OBJECT_PROTOTYPE) {
    return writePlain(object, start, root, rules, depth);
  }
  if (depth === DEEPEST_RECURSION) throw UNUSUAL;
  return closeDocument(start, writeListed(object, start + 4, root, rules, depth));
}

/**
 * @param {any} object neither a class instance nor without a prototype
 * @param {number} start
 * @param {Shape} root of its shapes
 * @param {Rules} rules that ignore undefined, so that properties may vanish while others are written
 * @param {number} depth
 * @returns {number} offset after the document
 */
function writePlain(object, start, root, rules, depth) {
  if (depth === DEEPEST_RECURSION) throw UNUSUAL;
  const at = start + 4;
  if (root.trust > 0) return closeDocument(start, writeKnown(object, at, root, rules, depth));
  const isUnknown = root.trust < 0 || root === UNKNOWN;
  const write = isUnknown ? writeUnknown : writeListed;
  return closeDocument(start, write(object, at, root, rules, depth));
}

/**
 * V8 enumerates keys from a cache of the hidden class, and loads the properties without looking them up.
 * @type {(object: any, at: number, root: Shape, rules: Rules, depth: number) => number}
 */
function writeKnown(object, at, root, rules, depth) {
  let shape = root;
  let others = 0;
  for (const key in object) {
    const value = object[key];
    const { next } = shape;
    if (next !== null && next.key === key) shape = next;
    else {
      shape = shapes.followKey(shape, key);
      others++;
    }
    at =
      shape === UNKNOWN
        ? writeUnknownField(at, key, value, rules, depth)
        : writeField(at, shape, value, rules, depth);
  }
  if (others === 0) {
    if (root.trust < MOST_TRUST) root.trust++;
  } else judge(root, shape, others);
  return at;
}

/** @type {(root: Shape, shape: Shape, others: number) => void} */
function judge(root, shape, others) {
  if (shape !== UNKNOWN && others <= shape.depth * MOST_OTHER_KEYS) return;
  root.trust -= COST_OF_OTHER_KEYS;
  if (root.trust <= 0) root.trust = -OBJECTS_WITHOUT_TRUST;
  if (shape.depth > MOST_ENUMERATED_KEYS) root.trust = 0;
}

/**
 * Where the keys of one object seldom are those of the next, a search of the trie takes longer than it saves.
 * @type {(object: any, at: number, root: Shape, rules: Rules, depth: number) => number}
 */
function writeUnknown(object, at, root, rules, depth) {
  if (root !== UNKNOWN) {
    if (++root.trust === 0) root.trust = MOST_TRUST;
    // Also counts objects for which there is no room.
    shapes.hasRoom(root);
  }
  for (const key in object) at = writeUnknownField(at, key, object[key], rules, depth);
  return at;
}

/**
 * Writes the first object of a root, large ones, and those of other prototypes.
 * @type {(object: any, at: number, root: Shape, rules: Rules, depth: number) => number}
 */
function writeListed(object, at, root, rules, depth) {
  const keys = Object.keys(object);
  const { length } = keys;
  let shape = root;
  for (let index = 0; index < length; index++) {
    const key = keys[index];
    const value = object[key];
    const { next } = shape;
    if (next !== null && next.key === key) shape = next;
    else shape = shapes.followKey(shape, key);
    at =
      shape === UNKNOWN
        ? writeUnknownField(at, key, value, rules, depth)
        : writeField(at, shape, value, rules, depth);
  }
  const isEnumerable = length > 0 && length <= MOST_ENUMERATED_KEYS && !startsWithDigit(keys[0]);
  if (isEnumerable && root.trust === 0 && root !== UNKNOWN) root.trust = MOST_TRUST;
  return at;
}

/** @type {(entries: Map<any, any>, start: number, rules: Rules, depth: number) => number} */
function writeMap(entries, start, rules, depth) {
  if (depth === DEEPEST_RECURSION) throw UNUSUAL;
  let at = start + 4;
  const iterator = entries.entries();
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const [key, value] = next.value;
    if (typeof key !== 'string') throw UNUSUAL;
    at = writeUnknownField(at, key, value, rules, depth);
  }
  return closeDocument(start, at);
}

/**
 * @param {any[]} array
 * @param {number} start
 * @param {Shape} shape of its field
 * @param {Rules} rules
 * @param {number} depth
 * @returns {number} offset after the document
 */
function writeArray(array, start, shape, rules, depth) {
  if (depth === DEEPEST_RECURSION) throw UNUSUAL;
  let at = start + 4;
  for (let index = 0; index < array.length; index++) {
    if (at > limit) makeRoom(at, 0);
    const value = array[index];
    const from = writeIndex(at, index);
    if (typeof value === 'string') {
      bytes[at] = STRING;
      at = writeText(from, value);
    } else if (typeof value === 'number') {
      at = writeNumber(at, from, value);
    } else {
      at = writeValue(at, from, index, value, shape, true, rules, depth);
    }
  }
  return closeDocument(start, at);
}

/** @type {(at: number, shape: Shape, value: any, rules: Rules, depth: number) => number} */
function writeField(at, shape, value, rules, depth) {
  if (at > limit) makeRoom(at, 0);
  const from = copyKey(at, shape);
  if (typeof value === 'string') {
    bytes[at] = STRING;
    return writeText(from, value);
  }
  if (typeof value === 'number') return writeNumber(at, from, value);
  return writeValue(at, from, shape.key, value, shape, false, rules, depth);
}

/** @type {(at: number, key: string, value: any, rules: Rules, depth: number) => number} */
function writeUnknownField(at, key, value, rules, depth) {
  if (at > limit) makeRoom(at, 0);
  const from = writeKey(at + 1, key);
  if (typeof value === 'string') {
    bytes[at] = STRING;
    return writeText(from, value);
  }
  if (typeof value === 'number') return writeNumber(at, from, value);
  return writeValue(at, from, key, value, UNKNOWN, false, rules, depth);
}

/**
 * Writes a value that is neither a string nor a number, after its key.
 * @param {number} at offset of the type
 * @param {number} from offset of the value
 * @param {string | number} key a number in an array
 * @param {any} value
 * @param {Shape} shape of the field
 * @param {boolean} inArray
 * @param {Rules} rules
 * @param {number} depth
 * @returns {number} offset after the value, or `at` if there is nothing to write
 */
function writeValue(at, from, key, value, shape, inArray, rules, depth) {
  if (value === null) {
    bytes[at] = NULL;
    return from;
  }
  if (typeof value === 'object') {
    if (Array.isArray(value)) {
      const array = /** @type {any} */ (value);
      if (array.toBSON === undefined && array._bsontype == null) {
        bytes[at] = ARRAY;
        return writeArray(array, from, shape, rules, depth + 1);
      }
    } else if (value instanceof BSONValue) {
      if (/** @type {any} */ (value).toBSON === undefined) {
        const end = writeBsonValue(at, from, value, shape, rules, depth);
        if (end !== NOT_WRITTEN) return end;
      }
    } else if (value.toBSON === undefined && value._bsontype == null) {
      const prototype = getPrototypeOf(value);
      if (prototype === OBJECT_PROTOTYPE) {
        bytes[at] = OBJECT;
        const root = shapes.nestedIn(shape);
        if (rules.ignoreUndefined) return writePlain(value, from, root, rules, depth + 1);
        return writeObject(value, from, root, rules, depth + 1);
      }
      if (prototype === DATE_PROTOTYPE) {
        bytes[at] = DATE;
        return writeDate(from, value);
      }
    }
  } else if (typeof value === 'boolean') {
    bytes[at] = BOOLEAN;
    bytes[from] = value ? 1 : 0;
    return from + 1;
  } else if (typeof value === 'bigint') {
    bytes[at] = INT64;
    view.setBigInt64(from, value, true);
    return from + 8;
  }
  return writeReplaced(at, from, key, value, shape, inArray, rules, depth);
}

/**
 * Writes what toBSON returns, and rare values.
 * @type {(at: number, from: number, key: string | number, value: any, shape: Shape, inArray: boolean, rules: Rules, depth: number) => number}
 */
function writeReplaced(at, from, key, value, shape, inArray, rules, depth) {
  const isReplaced = value != null && typeof value.toBSON === 'function';
  if (isReplaced) value = value.toBSON();
  if (typeof value !== 'object' || value === null) {
    return writeRest(at, key, value, shape, inArray, rules, depth);
  }
  const prototype = getPrototypeOf(value);
  if (prototype === OBJECT_PROTOTYPE && value._bsontype == null) {
    bytes[at] = OBJECT;
    const source = isReplaced ? resolveDocument(value) : value;
    return writeObject(source, from, shapes.nestedIn(shape), rules, depth + 1);
  }
  const end = writeInstance(at, from, value, prototype, shape, rules, depth);
  return end === NOT_WRITTEN ? writeRest(at, key, value, shape, inArray, rules, depth) : end;
}

const NOT_WRITTEN = -1;

/**
 * Writes what toBSON has returned: an array, a date or a value of one of the frequent classes of bson.
 * @param {number} at offset of the type
 * @param {number} from offset of the value
 * @param {any} value
 * @param {object} prototype of the value
 * @param {Shape} shape of the field
 * @param {Rules} rules
 * @param {number} depth
 * @returns {number} offset after the value, or `NOT_WRITTEN`
 */
function writeInstance(at, from, value, prototype, shape, rules, depth) {
  if (value instanceof BSONValue) return writeBsonValue(at, from, value, shape, rules, depth);
  if (value._bsontype != null) return NOT_WRITTEN;
  if (prototype === DATE_PROTOTYPE) {
    bytes[at] = DATE;
    return writeDate(from, value);
  }
  if (!Array.isArray(value)) return NOT_WRITTEN;
  bytes[at] = ARRAY;
  return writeArray(value, from, shape, rules, depth + 1);
}

/**
 * Writes a value of a frequent class. The constructor, which may be that of a class above, only says which class is
 * likely. Each writer asks for the prototype after it has loaded a field: where V8 has compiled that load for one
 * hidden class, it knows the prototype, which is a call into the runtime elsewhere.
 * @type {(at: number, from: number, value: any, shape: Shape, rules: Rules, depth: number) => number} `NOT_WRITTEN` for other classes
 */
function writeBsonValue(at, from, value, shape, rules, depth) {
  switch (value.constructor) {
    case DirectId:
      return writeObjectId(at, from, value);
    case Binary:
      return writeBinary(at, from, value);
    case Code:
      return writeCode(at, from, value, shape, rules, depth);
    case Long:
      return writeLong(at, from, value);
    case Timestamp:
      return writeTimestamp(at, from, value);
    case Double:
      return writeDouble(at, from, value);
    case Int32:
      return writeInt32(at, from, value);
    case Decimal128:
      return writeDecimal128(at, from, value);
    case BSONRegExp:
      return writeRegExp(at, from, value);
    case MinKey:
      if (getPrototypeOf(value) !== MIN_KEY_PROTOTYPE) return NOT_WRITTEN;
      if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
      bytes[at] = MIN_KEY;
      return from;
    case MaxKey:
      if (getPrototypeOf(value) !== MAX_KEY_PROTOTYPE) return NOT_WRITTEN;
      if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
      bytes[at] = MAX_KEY;
      return from;
    default:
      return NOT_WRITTEN;
  }
}

/** @type {(at: number, from: number, value: any) => number} */
function writeObjectId(at, from, value) {
  const { i0, i1, i2, i3 } = value;
  if (getPrototypeOf(value) !== idPrototype || value._bsontype !== 'ObjectId') return NOT_WRITTEN;
  if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
  bytes[at] = OBJECT_ID;
  // Of 24 bits each.
  view.setInt32(from, (i0 << 8) | (i1 >> 16));
  view.setInt32(from + 4, (i1 << 16) | (i2 >> 8));
  view.setInt32(from + 8, (i2 << 24) | i3);
  return from + 12;
}

/** @type {(at: number, from: number, value: any) => number} */
function writeLong(at, from, value) {
  const { low, high } = value;
  if (getPrototypeOf(value) !== LONG_PROTOTYPE) return NOT_WRITTEN;
  if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
  bytes[at] = INT64;
  view.setInt32(from, low, true);
  view.setInt32(from + 4, high, true);
  return from + 8;
}

/** @type {(at: number, from: number, value: any) => number} */
function writeTimestamp(at, from, value) {
  const { low, high } = value;
  if (getPrototypeOf(value) !== TIMESTAMP_PROTOTYPE) return NOT_WRITTEN;
  if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
  bytes[at] = TIMESTAMP;
  view.setInt32(from, low, true);
  view.setInt32(from + 4, high, true);
  return from + 8;
}

/** @type {(at: number, from: number, value: any) => number} */
function writeDouble(at, from, value) {
  const { value: number } = value;
  if (getPrototypeOf(value) !== DOUBLE_PROTOTYPE) return NOT_WRITTEN;
  if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
  bytes[at] = DOUBLE;
  view.setFloat64(from, number, true);
  return from + 8;
}

/** @type {(at: number, from: number, value: any) => number} */
function writeInt32(at, from, value) {
  const { value: number } = value;
  if (getPrototypeOf(value) !== INT32_PROTOTYPE) return NOT_WRITTEN;
  if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
  bytes[at] = INT32;
  view.setInt32(from, number, true);
  return from + 4;
}

/** @type {(at: number, from: number, value: any) => number} */
function writeDecimal128(at, from, value) {
  const content = value.bytes;
  if (getPrototypeOf(value) !== DECIMAL128_PROTOTYPE) return NOT_WRITTEN;
  if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
  bytes[at] = DECIMAL128;
  const target = bytes;
  for (let index = 0; index < DECIMAL128_BYTES; index++) target[from + index] = content[index];
  return from + DECIMAL128_BYTES;
}

/** @type {(at: number, from: number, value: any) => number} */
function writeBinary(at, from, value) {
  const { buffer, position: size, sub_type: subtype } = value;
  if (getPrototypeOf(value) !== BINARY_PROTOTYPE) return NOT_WRITTEN;
  if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
  if (subtype === Binary.SUBTYPE_BYTE_ARRAY || subtype === Binary.SUBTYPE_VECTOR)
    return NOT_WRITTEN;
  // A size that is none would move what follows to other results.
  if (size >>> 0 !== size || size > buffer.length) throw UNUSUAL;
  if (from + size > limit) makeRoom(from, size);
  bytes[at] = BINARY;
  view.setInt32(from, size, true);
  bytes[from + 4] = subtype;
  return copyContent(bytes, from + 5, buffer, size);
}

/** @type {(at: number, from: number, value: any) => number} */
function writeRegExp(at, from, value) {
  const { pattern, options } = value;
  if (typeof pattern !== 'string' || typeof options !== 'string') return NOT_WRITTEN;
  if (getPrototypeOf(value) !== REGEXP_PROTOTYPE) return NOT_WRITTEN;
  if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
  const sorted = options.length < 2 ? options : options.split('').sort().join('');
  bytes[at] = REGULAR_EXPRESSION;
  // Both end in a zero, and may hold none, like keys.
  return writeKey(writeKey(from, pattern), sorted);
}

/** @type {(at: number, from: number, value: any, shape: Shape, rules: Rules, depth: number) => number} */
function writeCode(at, from, value, shape, rules, depth) {
  const { code, scope } = value;
  if (typeof code !== 'string' || getPrototypeOf(value) !== CODE_PROTOTYPE) return NOT_WRITTEN;
  if (value[VERSION] !== CURRENT) return NOT_WRITTEN;
  if (!scope || typeof scope !== 'object') {
    bytes[at] = CODE;
    return writeText(from, code);
  }
  if (getPrototypeOf(scope) !== OBJECT_PROTOTYPE) return NOT_WRITTEN;
  bytes[at] = CODE_WITH_SCOPE;
  const start = writeText(from + 4, code);
  const root = shapes.nestedIn(shape);
  const end = writeObject(resolveDocument(scope), start, root, rules, depth + 1);
  view.setInt32(from, end - from, true);
  return end;
}

/**
 * Writes an element of a rare kind from its beginning.
 * @param {number} at offset of the type
 * @param {string | number} key
 * @param {any} value
 * @param {Shape} shape
 * @param {boolean} inArray
 * @param {Rules} rules
 * @param {number} depth
 * @returns {number}
 */
function writeRest(at, key, value, shape, inArray, rules, depth) {
  if (typeof key === 'number') key = String(key);
  // Its size is unknown.
  if (bytes === slab) makeRoom(at, 0);
  const end = writeElement(bytes, at, key, value, inArray, rules);
  if (end >= 0) return end;
  const from = writeKey(at + 1, key);
  if (end === ENTER_DOCUMENT) {
    bytes[at] = Array.isArray(value) ? ARRAY : OBJECT;
    return writeDocument(value, from, shape, rules, depth + 1);
  }
  if (end === ENTER_DBREF) {
    bytes[at] = OBJECT;
    return writeDocument(listDbRefFields(value), from, shape, rulesOfDbRef(rules), depth + 1);
  }
  const { code, scope } = value;
  if (typeof code !== 'string') throw UNUSUAL;
  bytes[at] = CODE_WITH_SCOPE;
  const after = writeDocument(scope, writeText(from + 4, code), shape, rules, depth + 1);
  view.setInt32(from, after - from, true);
  return after;
}

/** @type {(document: any, start: number, shape: Shape, rules: Rules, depth: number) => number} */
function writeDocument(document, start, shape, rules, depth) {
  if (Array.isArray(document)) return writeArray(document, start, shape, rules, depth);
  if (isMap(document)) return writeMap(document, start, rules, depth);
  return writeObject(resolveDocument(document), start, shapes.nestedIn(shape), rules, depth);
}

/** @type {(start: number, at: number) => number} offset after the terminator */
function closeDocument(start, at) {
  if (at > limit) makeRoom(at, 0);
  bytes[at] = END_OF_DOCUMENT;
  const end = at + 1;
  view.setInt32(start, end - start, true);
  return end;
}

/** @type {(at: number, shape: Shape) => number} offset after the key; `at` is that of the type */
function copyKey(at, { words, size }) {
  const target = view;
  const { length } = words;
  for (let word = 0; word < length; word++) target.setInt32(at + 4 * word, words[word], true);
  return at + 1 + size;
}

/** @type {(at: number, key: string) => number} offset after the key */
function writeKey(at, key) {
  const { length } = key;
  if (length > LONGEST_LOOP) return writeLongKey(at, key);
  const target = bytes;
  for (let index = 0; index < length; index++) {
    const code = key.charCodeAt(index);
    if (code === 0 || code > LAST_ASCII) return writeLongKey(at, key);
    target[at + index] = code;
  }
  target[at + length] = 0;
  return at + length + 1;
}

/** @type {(at: number, key: string) => number} */
function writeLongKey(at, key) {
  if (key.includes('\0')) throw UNUSUAL;
  const end = writeUtf8(at, key);
  bytes[end] = 0;
  return end + 1;
}

/**
 * Heads of the elements of an array: a zero in place of the type, then the digits.
 * @type {number[]}
 */
const INDEX_WORDS = [];
const MOST_INDEX_WORDS = 1000;

/** @type {(at: number, index: number) => number} offset after the key of an array element; `at` is that of the type */
function writeIndex(at, index) {
  if (index >= INDEX_WORDS.length) {
    if (index >= MOST_INDEX_WORDS) return writeKey(at + 1, String(index));
    for (let next = INDEX_WORDS.length; next <= index; next++) INDEX_WORDS.push(packDigits(next));
  }
  view.setInt32(at, INDEX_WORDS[index], true);
  if (index < 10) return at + 3;
  if (index < 100) return at + 4;
  bytes[at + 4] = 0;
  return at + 5;
}

/** @type {(number: number) => number} */
function packDigits(number) {
  const digits = String(number);
  let word = 0;
  for (let place = 0; place < digits.length; place++) {
    word |= digits.charCodeAt(place) << (8 * (place + 1));
  }
  return word;
}

/** @type {(at: number, text: string) => number} offset after size, text and terminator */
function writeText(at, text) {
  const { length } = text;
  if (length > LONGEST_LOOP) return writeLongText(at, text);
  const start = at + 4;
  // V8 loads the variable of a module again in every turn of a loop.
  const target = bytes;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code > LAST_ASCII) return writeLongText(at, text);
    target[start + index] = code;
  }
  view.setInt32(at, length + 1, true);
  target[start + length] = 0;
  return start + length + 1;
}

/** @type {(at: number, text: string) => number} */
function writeLongText(at, text) {
  const start = at + 4;
  const end = writeUtf8(start, text);
  view.setInt32(at, end - start + 1, true);
  bytes[end] = 0;
  return end + 1;
}

/** @type {(at: number, text: string) => number} offset after the text */
function writeUtf8(at, text) {
  const { length } = text;
  if (at + length > limit) makeRoom(at, MOST_UTF8_BYTES * length);
  const end = at + bytes.utf8Write(text, at);
  if (end <= limit) return end;
  // Text that did not fit was cut off.
  makeRoom(at, MOST_UTF8_BYTES * length);
  return at + bytes.utf8Write(text, at);
}

/** @type {(at: number, from: number, value: number) => number} */
function writeNumber(at, from, value) {
  if ((value | 0) === value && !Object.is(value, -0)) {
    bytes[at] = INT32;
    view.setInt32(from, value, true);
    return from + 4;
  }
  bytes[at] = DOUBLE;
  view.setFloat64(from, value, true);
  return from + 8;
}

/** @type {(from: number, value: Date) => number} */
function writeDate(from, value) {
  const time = value.getTime();
  const high = Math.floor(time / TWO_32);
  view.setInt32(from, time - high * TWO_32, true);
  view.setInt32(from + 4, high, true);
  return from + 8;
}

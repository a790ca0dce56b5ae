/**
 * Whether two results of `deserialize` are equal: types, order of keys, signs of zero, classes.
 * ObjectIds are compared by hex, because variants store them differently. `describeValue` is slower
 * and locates differences.
 * @type {(a: any, b: any) => boolean}
 */
export function isSameValue(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && isSameArray(a, b);
  const prototype = Object.getPrototypeOf(a);
  const isPlain = prototype === Object.prototype;
  if (isPlain || Object.getPrototypeOf(b) === Object.prototype) {
    return Object.getPrototypeOf(b) === prototype && isSameFields(a, b);
  }
  return isSameInstance(a, b);
}

/** @type {(a: any[], b: any[]) => boolean} */
function isSameArray(a, b) {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    if (!isSameValue(a[at], b[at])) return false;
  }
  return true;
}

/** @type {(a: Record<string, any>, b: Record<string, any>) => boolean} */
function isSameFields(a, b) {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    if (key !== others[at] || !isSameValue(a[key], b[key])) return false;
  }
  return true;
}

/** @type {(a: any, b: any) => boolean} */
function isSameInstance(a, b) {
  const tag = a._bsontype;
  if (tag !== b._bsontype) return false;
  if (tag === 'ObjectId') return a.toHexString() === b.toHexString();
  if (a.constructor?.name !== b.constructor?.name) return false;
  if (typeof tag === 'string') return SAME_BY_TAG[tag]?.(a, b) ?? false;
  if (a instanceof Date) return b instanceof Date && Object.is(a.getTime(), b.getTime());
  if (a instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  return a instanceof RegExp && a.source === b.source && a.flags === b.flags;
}

/** @type {Record<string, (a: any, b: any) => boolean>} */
const SAME_BY_TAG = {
  Binary: isSameBinary,
  BSONRegExp: (a, b) => a.pattern === b.pattern && a.options === b.options,
  BSONSymbol: (a, b) => a.value === b.value,
  Code: (a, b) => a.code === b.code && isSameValue(a.scope, b.scope),
  DBRef: isSameDbRef,
  Decimal128: (a, b) => Buffer.compare(a.bytes, b.bytes) === 0,
  Double: (a, b) => Object.is(a.value, b.value),
  Int32: (a, b) => Object.is(a.value, b.value),
  Long: isSameLong,
  MaxKey: () => true,
  MinKey: () => true,
  Timestamp: isSameLong,
};

/** @type {(a: any, b: any) => boolean} */
function isSameBinary(a, b) {
  return (
    a.sub_type === b.sub_type &&
    a.position === b.position &&
    a.buffer.constructor.name === b.buffer.constructor.name &&
    Buffer.compare(a.buffer.subarray(0, a.position), b.buffer.subarray(0, b.position)) === 0
  );
}

/** @type {(a: any, b: any) => boolean} */
function isSameDbRef(a, b) {
  return (
    a.collection === b.collection &&
    a.db === b.db &&
    isSameValue(a.oid, b.oid) &&
    isSameValue(a.fields, b.fields)
  );
}

/** @type {(a: any, b: any) => boolean} */
function isSameLong(a, b) {
  return a.low === b.low && a.high === b.high && a.unsigned === b.unsigned;
}

import { EJSON, deserialize } from 'bson';

/** @import { Document } from 'bson' */

/**
 * Reads one BSON document with every type kept: Int32 and Double as objects, expressions as
 * BSONRegExp.
 * @type {(bytes: Uint8Array) => Document}
 * @throws {Error} of the package `bson`, when the bytes are not a document
 */
export function readExactTypes(bytes) {
  return deserialize(bytes, { promoteValues: false, bsonRegExp: true });
}

/**
 * Formats a document as one line of Extended JSON like the drivers' benchmark files: plain numbers
 * for int32 and doubles that are not integers, because relaxed and canonical parsing both restore
 * their type; everything else canonical.
 * @type {(document: Document) => string}
 */
export function formatExtendedJson(document) {
  return EJSON.stringify(document, (_key, value) => unwrapNumber(value), { relaxed: false });
}

/** A date out of range is an invalid one in JavaScript; so is what this text is parsed to. */
const INVALID_TIME = { $numberLong: '9223372036854775807' };

/** @param {any} value part of canonical Extended JSON */
function unwrapNumber(value) {
  if (value?.$numberLong === 'NaN') return INVALID_TIME;
  if (typeof value?.$numberInt === 'string') return Number(value.$numberInt);
  if (typeof value?.$numberDouble === 'string') {
    const number = Number(value.$numberDouble);
    if (Number.isFinite(number) && !Number.isInteger(number)) return number;
  }
  return value;
}

/**
 * Formats a document as the JavaScript expression that creates it, on one line, as a programmer would
 * write it. Numbers stay plain if serializing a plain number gives the same type.
 * @param {Document} document with exact types, as `readExactTypes` gives them
 * @returns {string} uses the value classes of bson, `Buffer` and `Date`
 */
export function formatLiteral(document) {
  const fields = Object.keys(document).map(
    (key) => `${formatKey(key)}:${formatValue(document[key])}`,
  );
  return `{${fields.join(',')}}`;
}

/** A plain `"__proto__":` would set the prototype instead of a field. @param {string} key */
function formatKey(key) {
  return key === '__proto__' ? '["__proto__"]' : JSON.stringify(key);
}

/** @type {(value: any) => string} */
function formatValue(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  return value._bsontype === undefined ? formatLiteral(value) : formatValueClass(value);
}

/** @param {any} value an instance of one of the value classes of the package `bson` */
function formatValueClass(value) {
  switch (value._bsontype) {
    case 'Int32':
      return String(value.value);
    case 'Double':
      return formatDouble(value.value);
    case 'Long':
      return `new Long(${value.low},${value.high})`;
    case 'Timestamp':
      return `new Timestamp({t:${value.t},i:${value.i}})`;
    case 'ObjectId':
      return `new ObjectId("${value.toHexString()}")`;
    case 'Binary':
      return `new Binary(${formatBytes(value.value())},${value.sub_type})`;
    case 'Decimal128':
      return `new Decimal128(${formatBytes(value.bytes)})`;
    case 'BSONRegExp':
      return `new BSONRegExp(${JSON.stringify(value.pattern)},${JSON.stringify(value.options)})`;
    case 'BSONSymbol':
      return `new BSONSymbol(${JSON.stringify(value.value)})`;
    case 'Code':
      return formatCall('Code', [value.code, value.scope]);
    case 'DBRef':
      return formatCall('DBRef', [value.collection, value.oid, value.db, value.fields]);
    default:
      return `new ${value._bsontype}()`;
  }
}

/** @param {string} className @param {unknown[]} values */
function formatCall(className, values) {
  return `new ${className}(${values.map((value) => formatValue(value ?? undefined)).join(',')})`;
}

/**
 * The serializer writes a plain number in the int32 range as int32, so only those need the class.
 * @param {number} value
 */
function formatDouble(value) {
  if (Object.is(value, -0)) return '-0';
  return value === (value | 0) ? `new Double(${value})` : String(value);
}

/** @param {Uint8Array} bytes */
function formatBytes(bytes) {
  return `Buffer.from("${Buffer.from(bytes).toString('base64')}","base64")`;
}

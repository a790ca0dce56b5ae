import { types } from 'node:util';
import { quoteText } from './path-text.js';

/** @import { Summary } from './describe-value.js' */

/**
 * @typedef {Record<string, any>} Duck
 * @typedef {(value: Duck) => Summary | null} Summarizer Null if the value lacks the properties of
 *   its `_bsontype`.
 */

/** @type {Summary['children']} */
const NONE = [];

/** @type {Map<string, Summarizer>} */
const SUMMARIZERS = new Map([
  ['Binary', summarizeBinary],
  ['BSONRegExp', summarizeBsonRegExp],
  ['BSONSymbol', summarizeBsonSymbol],
  ['Code', summarizeCode],
  ['DBRef', summarizeDbRef],
  ['Decimal128', summarizeDecimal128],
  ['Double', summarizeWrappedNumber],
  ['Int32', summarizeWrappedNumber],
  ['Long', summarizeLong],
  ['MaxKey', summarizeKeyBound],
  ['MinKey', summarizeKeyBound],
  ['ObjectId', summarizeObjectId],
  // Up to bson 4.
  ['ObjectID', summarizeObjectId],
  ['Timestamp', summarizeTimestamp],
]);

/**
 * Summary of a BSON value class, identified by `_bsontype` and read through its public properties,
 * so that variants can have their own classes.
 * @param {Duck} value
 * @returns {Summary | null} null for anything else, including a document with a field `_bsontype`
 */
export function summarizeBsonValue(value) {
  // A field is enumerable; an own property that is not is how bson 4 names a Timestamp.
  if (Object.prototype.propertyIsEnumerable.call(value, '_bsontype')) return null;
  const summarize = SUMMARIZERS.get(value['_bsontype']);
  return summarize === undefined ? null : summarize(value);
}

/**
 * Where `Buffer` is an npm package, in browsers, bson returns byte arrays without its methods.
 * @param {Function} maker constructor of a class
 * @returns {string} its name; the same for both there
 */
export function nameMaker({ name }) {
  return name === 'Buffer' && !('process' in globalThis) ? 'Uint8Array' : name;
}

/** @type {Summarizer} */
function summarizeBinary(value) {
  const { buffer, position } = value;
  if (!ArrayBuffer.isView(buffer) || !Number.isInteger(position)) return null;
  const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  const subtype = Number(value['sub_type']).toString(16).padStart(2, '0');
  // Of the two classes with this _bsontype, only UUID has toHexString.
  const type = typeof value['toHexString'] === 'function' ? 'UUID' : 'Binary';
  const holder = nameMaker(buffer.constructor);
  const hex = bytes.toString('hex', 0, position);
  return {
    type,
    text: `subtype ${subtype}, ${position} bytes in ${holder}: ${hex}`,
    children: NONE,
  };
}

/** @type {Summarizer} */
function summarizeBsonRegExp(value) {
  if (typeof value['pattern'] !== 'string' || typeof value['options'] !== 'string') return null;
  const text = `${quoteText(value['pattern'])} options ${quoteText(value['options'])}`;
  return { type: 'BSONRegExp', text, children: NONE };
}

/** @type {Summarizer} */
function summarizeBsonSymbol(value) {
  if (typeof value['value'] !== 'string') return null;
  return { type: 'BSONSymbol', text: quoteText(value['value']), children: NONE };
}

/** @type {Summarizer} */
function summarizeCode(value) {
  if (typeof value['code'] !== 'string') return null;
  const text = quoteText(value['code']);
  const children = [{ component: '<scope>', value: value['scope'] }];
  return { type: 'Code', text, children };
}

/** @type {Summarizer} */
function summarizeDbRef(value) {
  if (typeof value['collection'] !== 'string') return null;
  const children = [
    { component: '<id>', value: value['oid'] },
    { component: '<db>', value: value['db'] },
    { component: '<fields>', value: value['fields'] },
  ];
  return { type: 'DBRef', text: quoteText(value['collection']), children };
}

/** @type {Summarizer} */
function summarizeDecimal128(value) {
  if (!types.isUint8Array(value['bytes'])) return null;
  return { type: 'Decimal128', text: Buffer.from(value['bytes']).toString('hex'), children: NONE };
}

/** @type {Summarizer} */
function summarizeWrappedNumber(value) {
  const number = value['value'];
  if (typeof number !== 'number') return null;
  const text = Object.is(number, -0) ? '-0' : String(number);
  return { type: value['_bsontype'], text, children: NONE };
}

/** @type {Summarizer} */
function summarizeLong(value) {
  if (!hasTwoHalves(value)) return null;
  const bits = (BigInt(value['high']) << 32n) | BigInt(value['low'] >>> 0);
  const sign = value['unsigned'] ? 'unsigned' : 'signed';
  const number = value['unsigned'] ? BigInt.asUintN(64, bits) : bits;
  return { type: 'Long', text: `${number} ${sign}`, children: NONE };
}

/** @type {Summarizer} */
function summarizeTimestamp(value) {
  if (!hasTwoHalves(value)) return null;
  const text = `t ${value['high'] >>> 0}, i ${value['low'] >>> 0}`;
  return { type: 'Timestamp', text, children: NONE };
}

/** @type {(value: Duck) => boolean} */
function hasTwoHalves(value) {
  return Object.is(value['low'] | 0, value['low']) && Object.is(value['high'] | 0, value['high']);
}

/** @type {Summarizer} */
function summarizeObjectId(value) {
  if (typeof value['toHexString'] !== 'function') return null;
  return { type: 'ObjectId', text: String(value['toHexString']()), children: NONE };
}

/** @type {Summarizer} */
function summarizeKeyBound(value) {
  return { type: value['_bsontype'], text: '', children: NONE };
}

import { isBytes, takeBytes } from './bound.js';
import { quoteText } from './path-text.js';

/** @import { Summary } from './describe-value.js' */

/**
 * @typedef {Record<string, any>} Duck
 * @typedef {(value: Duck) => Summary | null} Summarizer Null if the value lacks the properties of
 *   its `_bsontype`.
 */

/** @type {Summary['children']} */
const NONE = [];
// Taken before a variant is loaded, which could replace it.
const { getOwnPropertyDescriptor } = Object;

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
  const buffer = readData(value, 'buffer');
  const position = readData(value, 'position');
  const bytes = takeBytes(buffer);
  if (!isBytes(buffer) || !Buffer.isBuffer(bytes) || !Number.isInteger(position)) return null;
  const subtype = Number(readData(value, 'sub_type')).toString(16).padStart(2, '0');
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
  const [pattern, options] = [readData(value, 'pattern'), readData(value, 'options')];
  if (typeof pattern !== 'string' || typeof options !== 'string') return null;
  const text = `${quoteText(pattern)} options ${quoteText(options)}`;
  return { type: 'BSONRegExp', text, children: NONE };
}

/** @type {Summarizer} */
function summarizeBsonSymbol(value) {
  const symbol = readData(value, 'value');
  if (typeof symbol !== 'string') return null;
  return { type: 'BSONSymbol', text: quoteText(symbol), children: NONE };
}

/** @type {Summarizer} */
function summarizeCode(value) {
  const code = readData(value, 'code');
  if (typeof code !== 'string') return null;
  const text = quoteText(code);
  const children = [{ component: '<scope>', value: readData(value, 'scope') }];
  return { type: 'Code', text, children };
}

/** @type {Summarizer} */
function summarizeDbRef(value) {
  const collection = readData(value, 'collection');
  if (typeof collection !== 'string') return null;
  const children = [
    { component: '<id>', value: readData(value, 'oid') },
    { component: '<db>', value: readData(value, 'db') },
    { component: '<fields>', value: readData(value, 'fields') },
  ];
  return { type: 'DBRef', text: quoteText(collection), children };
}

/** @type {Summarizer} */
function summarizeDecimal128(value) {
  const bytes = takeBytes(readData(value, 'bytes'));
  if (!isBytes(bytes)) return null;
  return { type: 'Decimal128', text: Buffer.from(bytes).toString('hex'), children: NONE };
}

/** @type {Summarizer} */
function summarizeWrappedNumber(value) {
  const number = readData(value, 'value');
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
  const [low, high] = [readData(value, 'low'), readData(value, 'high')];
  return Object.is(low | 0, low) && Object.is(high | 0, high);
}

/** @type {(value: Duck, key: string) => any} undefined for a property with a getter, which computes a value when it is asked */
function readData(value, key) {
  return getOwnPropertyDescriptor(value, key)?.value;
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

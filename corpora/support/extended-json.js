/** What a text of Extended JSON stands for, exactly; EJSON.parse approximates it. */

import { readJsonTree } from './json-tree.js';

/** @import { JsonNode } from './json-tree.js' */

/**
 * The canonical Extended JSON that an object with these fields stands for; undefined if it is not a valid text of the
 * type. Digits that `became` represents are returned as it has them.
 * @typedef {(fields: Record<string, JsonNode>, became: any) => unknown} TypeReader
 */

/** By the keys of the object, sorted. @type {Map<string, TypeReader>} */
const TYPE_READERS = new Map(
  /** @type {[string, TypeReader][]} */ ([
    ['$oid', ({ $oid }) => readObjectId(textOf($oid))],
    ['$numberInt', ({ $numberInt }) => ({ $numberInt: integerOf($numberInt) })],
    ['$numberLong', ({ $numberLong }) => ({ $numberLong: integerOf($numberLong) })],
    ['$numberDouble', keepIf('$numberDouble', isSameDouble)],
    ['$numberDecimal', keepIf('$numberDecimal', isSameDecimal)],
    ['$date', ({ $date }) => ({ $date: { $numberLong: readDate($date) } })],
    ['$binary', ({ $binary }) => readBinary(fieldsOf($binary))],
    ['$uuid', ({ $uuid }) => readUuid(textOf($uuid))],
    ['$symbol', ({ $symbol }) => ({ $symbol: textOf($symbol) })],
    ['$minKey', ({ $minKey }) => ({ $minKey: Number(integerOf($minKey)) })],
    ['$maxKey', ({ $maxKey }) => ({ $maxKey: Number(integerOf($maxKey)) })],
    ['$timestamp', ({ $timestamp }) => readTimestamp(fieldsOf($timestamp))],
    ['$regularExpression', ({ $regularExpression }) => readRegex(fieldsOf($regularExpression))],
    [
      '$options,$regex',
      ({ $regex, $options }) => readRegex({ pattern: $regex, options: $options }),
    ],
  ]),
);

/**
 * @param {JsonNode & { kind: 'object' }} object
 * @returns {TypeReader | undefined} if its keys are those of a type other than a document
 */
export function findTypeReader({ entries }) {
  if (entries.length > 2) return undefined;
  const keys = entries.map(([key]) => key).sort();
  return TYPE_READERS.get(keys.join(','));
}

/**
 * @param {string} digits of a plain number
 * @param {any} became canonical Extended JSON
 */
export function isSameNumber(digits, became) {
  const [[key, text] = ['', '']] = Object.entries(became ?? {});
  return key === '$numberDouble' ? isSameDouble(digits, text) : isSameDecimal(digits, text);
}

/**
 * Rewrites the forms of version 1 that version 2 does not have: `$date` with a number, `$binary` with `$type`.
 * @param {string} text JSON
 * @returns {string} the same text if there are none
 */
export function modernizeText(text) {
  if (!/"\$(?:binary|date)"/.test(text)) return text;
  let modern = '';
  let end = 0;
  for (const { node, replacement } of findOldForms(readJsonTree(text))) {
    modern += text.slice(end, node.start) + replacement;
    end = node.end;
  }
  return modern + text.slice(end);
}

/** @type {(node: JsonNode) => Generator<{ node: JsonNode, replacement: string }>} */
function* findOldForms(node) {
  if (node.kind === 'array') for (const item of node.items) yield* findOldForms(item);
  if (node.kind !== 'object') return;
  const replacement = replaceOldForm(node);
  if (replacement !== undefined) yield { node, replacement: JSON.stringify(replacement) };
  else for (const [, value] of node.entries) yield* findOldForms(value);
}

/** @param {JsonNode & { kind: 'object' }} node */
function replaceOldForm(node) {
  const { $date, $binary, $type } = fieldsOf(node);
  const timeMs = integerOf($date);
  if (node.entries.length === 1 && $date?.kind === 'number' && timeMs !== undefined) {
    return { $date: { $numberLong: timeMs } };
  }
  const base64 = textOf($binary);
  const subType = textOf($type);
  if (node.entries.length !== 2 || base64 === undefined || subType === undefined) return undefined;
  return { $binary: { base64, subType } };
}

/** @type {(key: string, isSame: (text: string, became: string) => boolean) => TypeReader} */
function keepIf(key, isSame) {
  return (fields, became) =>
    isSame(digitsOf(fields[key]), String(became?.[key])) ? became : undefined;
}

/** @type {(node: JsonNode | undefined) => Record<string, JsonNode>} */
function fieldsOf(node) {
  return node?.kind === 'object' ? Object.fromEntries(node.entries) : {};
}

/** @type {(node: JsonNode | undefined) => string | undefined} */
function textOf(node) {
  return node?.kind === 'constant' && typeof node.value === 'string' ? node.value : undefined;
}

/** @type {(node: JsonNode | undefined) => string} of a number, or of a text with one; empty if there are none */
function digitsOf(node) {
  if (node?.kind === 'number') return node.digits;
  const { $numberInt, $numberLong } = fieldsOf(node);
  return textOf(node) ?? textOf($numberInt ?? $numberLong) ?? '';
}

/** @type {(node: JsonNode | undefined) => string | undefined} as BSON would print it */
function integerOf(node) {
  const digits = digitsOf(node);
  if (/^-?\d+$/.test(digits)) return String(BigInt(digits));
  const value = digits === '' ? NaN : Number(digits);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** @param {string | undefined} text */
function readObjectId(text = '') {
  return /^[0-9a-f]{24}$/i.test(text) ? { $oid: text.toLowerCase() } : undefined;
}

/** @param {string | undefined} text */
function readUuid(text = '') {
  if (!/^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(text)) return undefined;
  const base64 = Buffer.from(text.replaceAll('-', ''), 'hex').toString('base64');
  return { $binary: { base64, subType: '04' } };
}

/** @param {Record<string, JsonNode>} fields */
function readBinary({ base64, subType }) {
  const given = textOf(base64) ?? '';
  const type = textOf(subType) ?? '';
  const canonical = Buffer.from(given, 'base64').toString('base64');
  const isExact = given.replace(/=+$/, '') === canonical.replace(/=+$/, '');
  if (!isExact || !/^[0-9a-f]{1,2}$/i.test(type)) return undefined;
  return { $binary: { base64: canonical, subType: type.padStart(2, '0').toLowerCase() } };
}

/** @param {Record<string, JsonNode>} fields */
function readTimestamp({ t, i }) {
  return { $timestamp: { t: Number(integerOf(t)), i: Number(integerOf(i)) } };
}

/** The order of options has no meaning. @param {Record<string, JsonNode | undefined>} fields */
function readRegex({ pattern, options }) {
  const sorted = [...(textOf(options) ?? '')].sort().join('');
  return { $regularExpression: { pattern: textOf(pattern), options: sorted } };
}

/** A time of day needs a time zone, because it would otherwise depend on that of the machine. */
const ISO_DATE =
  /^((?:[+-]\d{6}|\d{4})-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(?:Z|([+-])(\d\d):?(\d\d)))?$/;

/** @type {(node: JsonNode | undefined) => string | undefined} milliseconds since 1970 */
function readDate(node) {
  const text = textOf(node);
  if (text === undefined) return integerOf(node);
  const found = ISO_DATE.exec(text);
  if (found === null) return undefined;
  const [, day, time = '', fraction = '', sign, hours = '0', minutes = '0'] = found;
  const timeMs = Date.parse(text);
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  // Date.parse takes the 31st of February for a day in March, and cuts microseconds.
  const again = new Date(timeMs + offsetMs).toJSON() ?? '';
  const isExact = again.startsWith(`${day}T${time}`) && Number(fraction.slice(3)) === 0;
  return isExact ? String(timeMs) : undefined;
}

/**
 * Reports whether a double is the one that a text means: rounded to as many digits, it is the same number.
 * @type {(text: string, became: string) => boolean}
 */
function isSameDouble(text, became) {
  const value = Number(became);
  if (!Number.isFinite(value)) return text === became;
  const given = normalizeDecimal(text);
  if (given === null || !Object.is(Number(text), value)) return false;
  const digits = given.replace(/^-|e.*$/g, '').length;
  return given === normalizeDecimal(value.toPrecision(Math.min(digits, MAX_PRECISION)));
}

/** Of `toPrecision`. */
const MAX_PRECISION = 100;

/** @type {(text: string, became: string) => boolean} */
function isSameDecimal(text, became) {
  if (text === became) return true;
  const given = normalizeDecimal(text);
  return given !== null && given === normalizeDecimal(became);
}

/** @type {(text: string) => string | null} `-125e-2` for -1.250; null if it is not a number */
function normalizeDecimal(text) {
  const found = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
  if (found === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  const digits = whole + fraction;
  if (digits === '') return null;
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return '0';
  const trailing = digits.length - digits.replace(/0+$/, '').length;
  return `${sign === '-' ? '-' : ''}${significant}e${Number(exponent) - fraction.length + trailing}`;
}

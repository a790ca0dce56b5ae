import { isPlain, listOwn, nameClass } from './list-own.js';
import { quoteText } from './path-text.js';
import { summarizeBsonValue } from './summarize-bson-value.js';
import { summarizeBuiltIn } from './summarize-built-in.js';

/**
 * One value without what is inside it.
 *
 * @typedef {object} Summary
 * @property {string} type
 * @property {string} text Everything about the value that its children do not say; no line break.
 * @property {Child[]} children In the order in which they are described.
 *
 * @typedef {object} Child
 * @property {string} component Of its path: `.key`, `[3]`, `<scope>`.
 * @property {unknown} value
 */

/** @type {Child[]} */
const NONE = [];

/**
 * Type, exact value and children of one value.
 *
 * @param {unknown} value
 * @returns {Summary}
 */
export function summarizeValue(value) {
  switch (typeof value) {
    case 'string':
      return { type: 'string', text: quoteText(value), children: NONE };
    case 'number':
      return { type: 'number', text: Object.is(value, -0) ? '-0' : String(value), children: NONE };
    case 'function':
      return { type: 'function', text: quoteText(String(value)), children: listOwn(value) };
    case 'object':
      return value === null ? { type: 'null', text: '', children: NONE } : summarizeObject(value);
    case 'undefined':
      return { type: 'undefined', text: '', children: NONE };
    default:
      return { type: typeof value, text: String(value), children: NONE };
  }
}

/**
 * @param {object} value
 * @returns {Summary}
 */
function summarizeObject(value) {
  if (Array.isArray(value)) return summarizeArray(value);
  if (isPlain(value)) return { type: 'object', text: '', children: listOwn(value) };
  return summarizeBsonValue(value) ?? summarizeBuiltIn(value) ?? summarizeInstance(value);
}

/**
 * Holes show as missing indices below the length.
 *
 * @param {unknown[]} value
 * @returns {Summary}
 */
function summarizeArray(value) {
  const name = nameClass(value);
  const type = name === 'Array' ? 'array' : `array of class ${name}`;
  return { type, text: `length ${value.length}`, children: listOwn(value) };
}

/**
 * @param {object} value
 * @returns {Summary}
 */
function summarizeInstance(value) {
  return { type: `object of class ${nameClass(value)}`, text: '', children: listOwn(value) };
}

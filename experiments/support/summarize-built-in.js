import { types } from 'node:util';
import { listOwn, nameClass } from './list-own.js';
import { quoteText } from './path-text.js';

/**
 * @typedef {import('./summarize-value.js').Child} Child
 * @typedef {import('./summarize-value.js').Summary} Summary
 */

/**
 * Summary of a date, regular expression, buffer, map, set or boxed primitive.
 *
 * @param {object} value
 * @returns {Summary | null} Null for anything else.
 */
export function summarizeBuiltIn(value) {
  const type = nameClass(value);
  if (types.isDate(value)) {
    const time = Number(value);
    const text = Number.isNaN(time) ? 'Invalid Date' : new Date(time).toISOString();
    return { type, text, children: listOwn(value) };
  }
  if (types.isRegExp(value)) {
    const text = `${quoteText(value.source)} flags "${value.flags}" lastIndex ${value.lastIndex}`;
    return { type, text, children: listOwn(value) };
  }
  if (ArrayBuffer.isView(value)) {
    return {
      type,
      text: showBytes(value.buffer, value.byteOffset, value.byteLength),
      children: [],
    };
  }
  if (types.isAnyArrayBuffer(value)) {
    return { type, text: showBytes(value, 0, value.byteLength), children: [] };
  }
  if (types.isMap(value) || types.isSet(value)) {
    return {
      type,
      text: `size ${value.size}`,
      children: [...listEntries(value), ...listOwn(value)],
    };
  }
  if (types.isBoxedPrimitive(value)) {
    return { type, text: '', children: [{ component: '<value>', value: value.valueOf() }] };
  }
  return null;
}

/**
 * @param {ArrayBufferLike} buffer
 * @param {number} start
 * @param {number} length
 * @returns {string}
 */
function showBytes(buffer, start, length) {
  return `${length} bytes: ${Buffer.from(buffer, start, length).toString('hex')}`;
}

/**
 * Entries of a map, as key and value, or members of a set, as value alone.
 *
 * @param {Map<unknown, unknown> | Set<unknown>} collection
 * @returns {Child[]}
 */
function listEntries(collection) {
  /** @type {Child[]} */
  const children = [];
  let position = 0;
  for (const [key, value] of collection.entries()) {
    if (types.isMap(collection)) children.push({ component: `<key ${position}>`, value: key });
    children.push({ component: `<value ${position}>`, value });
    position++;
  }
  return children;
}

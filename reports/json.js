/** The comparison as data: the text of verdict.json. */

/** @import { RenderInput, Renderer } from './types.ts' */

import { escapeJson } from '../harness/lib/escape.js';

// A person who opens the file meets these first; all other keys follow by alphabet.
const LEADING_KEYS = ['formatVersion', 'runId', 'ended', 'cell', 'verdict', 'number', 'operation'];

/** @type {Renderer} */
export const renderer = { name: 'json', fileName: 'verdict.json', render: renderJson };

/**
 * The verdict with two spaces of indent and keys in an order of their own, so that two files of the
 * same data are the same text. Numbers that JSON does not know become `null`.
 *
 * @param {RenderInput} input
 * @returns {string} ends with a line end
 */
export function renderJson({ verdict }) {
  return `${escapeJson(JSON.stringify(orderKeys(verdict), null, 2))}\n`;
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function orderKeys(value) {
  if (Array.isArray(value)) return value.map(orderKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareKeys(a, b));
  return Object.fromEntries(entries.map(([key, inner]) => [key, orderKeys(inner)]));
}

/**
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function compareKeys(a, b) {
  const difference = rankOf(a) - rankOf(b);
  if (difference !== 0) return difference;
  return a < b ? -1 : 1;
}

/**
 * @param {string} key
 * @returns {number}
 */
function rankOf(key) {
  const rank = LEADING_KEYS.indexOf(key);
  return rank === -1 ? LEADING_KEYS.length : rank;
}

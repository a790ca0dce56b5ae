import { findDifference } from './find-difference.js';
import { showPath, WHOLE_DOCUMENT } from './path-text.js';
import { findPath, walkBson } from './walk-bson.js';

/**
 * @typedef {import('./find-difference.js').Explanation} Explanation
 * @typedef {import('./walk-bson.js').Part} Part
 */

const BYTES_BEFORE = 4;
const BYTES_AFTER = 4;

/**
 * Says where two BSON documents part: the element of the expected document that holds the first
 * byte that differs, which part of the element that is, and the bytes around it. The size in front
 * of a container differs whenever something inside has another length, so it is named only where
 * nothing after it differs.
 *
 * @param {Uint8Array} expected A well-formed document, as the reference writes it.
 * @param {Uint8Array} found Any bytes.
 * @returns {Explanation} `expected` and `found` are shorter than 80 characters.
 */
export function explainByteDifference(expected, found) {
  const first = findDifference(expected, found, 0);
  if (first === null) return { path: WHOLE_DOCUMENT, expected: 'the same', found: 'the same' };
  const { offset, part } = locateDifference(expected, found, first);
  const place = part === null ? 'after the end' : `${part.type} ${part.name}`;
  return {
    path: part === null ? WHOLE_DOCUMENT : showPath(findPath(part)),
    expected: `${place}, ${showBytes(expected, offset)}`,
    found: `${showBytes(found, offset)}${showLength(expected, found)}`,
  };
}

/**
 * @param {Uint8Array} expected
 * @param {Uint8Array} found
 * @param {number} first Offset of the first byte that differs.
 * @returns {{ offset: number, part: Part | null }} No part where all of `expected` was found and
 *   more came after it.
 */
function locateDifference(expected, found, first) {
  /** @type {{ offset: number, part: Part | null }} */
  const sizeAlone = { offset: first, part: null };
  /** @type {number | null} */
  let offset = first;
  for (const part of walkBson(expected)) {
    if (offset >= part.end) continue;
    if (part.name !== 'size' || found.length < part.end) return { offset, part };
    sizeAlone.part ??= part;
    offset = findDifference(expected, found, part.end);
    if (offset === null) break;
  }
  return sizeAlone;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} offset Of the byte to be set in brackets, at most that of the end.
 * @returns {string}
 */
function showBytes(bytes, offset) {
  const start = Math.max(0, offset - BYTES_BEFORE);
  const end = offset + 1 + BYTES_AFTER;
  const byte = bytes[offset];
  const marked = [
    start > 0 ? '…' : '',
    showHex(bytes, start, offset),
    byte === undefined ? '[end]' : `[${toHex(byte)}]`,
    showHex(bytes, offset + 1, end),
    end < bytes.length ? '…' : '',
  ];
  return `offset ${offset}: ${marked.filter(Boolean).join(' ')}`;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 * @returns {string} `0a 61 00`
 */
function showHex(bytes, start, end) {
  return Array.from(bytes.subarray(start, end), toHex).join(' ');
}

/**
 * @param {number} byte
 * @returns {string}
 */
function toHex(byte) {
  return byte.toString(16).padStart(2, '0');
}

/**
 * @param {Uint8Array} expected
 * @param {Uint8Array} found
 * @returns {string}
 */
function showLength(expected, found) {
  if (expected.length === found.length) return '';
  return `, ${found.length} bytes, not ${expected.length}`;
}

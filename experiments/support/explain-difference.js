import { WHOLE_DOCUMENT, quoteText, showPath } from '../../harness/worker/path-text.js';
import { findPath, walkBson } from './walk-bson.js';

/** @import { Part } from './walk-bson.js' */

const BYTES_BEFORE = 4;
const BYTES_AFTER = 4;

/**
 * Describes the first difference of two BSON documents: the element of the expected document with
 * the first differing byte, the part of the element and the bytes around it. The size of a
 * container differs whenever something inside has another length, so it is reported only if nothing
 * after it differs.
 * @param {Uint8Array} expected a well-formed document, as the reference writes it
 * @param {Uint8Array} found any bytes
 * @returns {Explanation} `expected` and `found` are shorter than 80 characters
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
 * @param {number} first offset of the first byte that differs
 * @returns {{ offset: number, part: Part | null }} no part if `found` begins with all of `expected`
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
 * @param {number} offset of the byte to mark with brackets, or the end
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

/** @type {(bytes: Uint8Array, start: number, end: number) => string} `0a 61 00` */
function showHex(bytes, start, end) {
  return Array.from(bytes.subarray(start, end), toHex).join(' ');
}

/** @type {(byte: number) => string} */
function toHex(byte) {
  return byte.toString(16).padStart(2, '0');
}

/** @type {(expected: Uint8Array, found: Uint8Array) => string} */
function showLength(expected, found) {
  if (expected.length === found.length) return '';
  return `, ${found.length} bytes, not ${expected.length}`;
}

/**
 * Describes the first difference of two messages of a format that is not known.
 * @param {Uint8Array} expected
 * @param {Uint8Array} found
 * @returns {Explanation} with the text around the difference where both are UTF-8, otherwise the bytes
 */
export function explainMessageDifference(expected, found) {
  const offset = findDifference(expected, found, 0);
  if (offset === null) return { path: WHOLE_DOCUMENT, expected: 'the same', found: 'the same' };
  const isText = isUtf8(expected) && isUtf8(found);
  const show = isText ? showText : showBytes;
  return {
    path: 'message',
    expected: show(expected, offset),
    found: `${show(found, offset)}${showLength(expected, found)}`,
  };
}

/** A page of a browser has no module of Node that tells. @param {Uint8Array} bytes */
function isUtf8(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** @type {(text: Uint8Array, offset: number) => string} */
function showText(text, offset) {
  const around = text.subarray(Math.max(0, offset - CHARACTERS_BEFORE), offset + CHARACTERS_AFTER);
  return `offset ${offset}: ${quoteText(Buffer.from(around).toString())}`;
}

const LINE_FEED = 0x0a;
const ABSENT = '(absent)';

// A long value is shortened to this much before and after the first difference.
const CHARACTERS_BEFORE = 24;
const CHARACTERS_AFTER = 40;

/**
 * Describes the first difference of two results of `describeValue`: path, expected and found value
 * of the first line that differs. A line that only one of them has is shown as absent from the
 * other, and values in another order are reported as such.
 * @param {Uint8Array} expected UTF-8
 * @param {Uint8Array} found UTF-8
 * @returns {Explanation} long values are shortened to the characters around the difference
 */
export function explainTextDifference(expected, found) {
  const offset = findDifference(expected, found, 0);
  if (offset === null) return { path: WHOLE_DOCUMENT, expected: 'the same', found: 'the same' };
  const start = findLineStart(expected, found, offset);
  const expectedLine = readLine(expected, start);
  const foundLine = readLine(found, start);
  if (foundLine === null) return explainAbsence(expectedLine, 'expected');
  if (expectedLine === null) return explainAbsence(foundLine, 'found');
  if (expectedLine.path === foundLine.path) {
    return { path: expectedLine.path, ...showAroundDifference(expectedLine, foundLine) };
  }
  return explainOtherPath(expected, found, start, expectedLine, foundLine);
}

/**
 * @param {Uint8Array} expected
 * @param {Uint8Array} found
 * @param {number} offset up to which both are equal
 * @returns {number} offset, in both, of the first line that differs
 */
function findLineStart(expected, found, offset) {
  // One text ends with a complete line of the other, so the next line differs.
  if ((expected[offset] ?? LINE_FEED) === (found[offset] ?? LINE_FEED)) return offset + 1;
  return offset === 0 ? 0 : expected.lastIndexOf(LINE_FEED, offset - 1) + 1;
}

/**
 * @typedef {object} Line
 * @property {string} path
 * @property {string} value type and exact value
 */

/**
 * @param {Uint8Array} text
 * @param {number} start of the line
 * @returns {Line | null} null after the last line
 */
function readLine(text, start) {
  if (start >= text.length) return null;
  const end = text.indexOf(LINE_FEED, start);
  const line = Buffer.from(text.subarray(start, end === -1 ? text.length : end)).toString();
  const [path = '', type = '', value = ''] = line.split('\t');
  return { path, value: value === '' ? type : `${type} ${value}` };
}

/**
 * @param {Line | null} line
 * @param {'expected' | 'found'} side that has the line
 * @returns {Explanation}
 */
function explainAbsence(line, side) {
  const value = line === null ? ABSENT : shorten(line.value, 0);
  const path = line?.path ?? WHOLE_DOCUMENT;
  return side === 'expected'
    ? { path, expected: value, found: ABSENT }
    : { path, expected: ABSENT, found: value };
}

/**
 * @param {Uint8Array} expected
 * @param {Uint8Array} found
 * @param {number} start
 * @param {Line} expectedLine
 * @param {Line} foundLine
 * @returns {Explanation}
 */
function explainOtherPath(expected, found, start, expectedLine, foundLine) {
  const isExpectedFoundLater = hasLine(found, start, expectedLine.path);
  const isFoundExpectedLater = hasLine(expected, start, foundLine.path);
  if (isExpectedFoundLater && isFoundExpectedLater) {
    const position = `later; here comes ${shorten(foundLine.path, 0)}`;
    return { path: expectedLine.path, expected: shorten(expectedLine.value, 0), found: position };
  }
  if (isExpectedFoundLater) return explainAbsence(foundLine, 'found');
  const absence = explainAbsence(expectedLine, 'expected');
  if (isFoundExpectedLater) return absence;
  const { path, value } = foundLine;
  return { ...absence, found: `${ABSENT}; instead ${shorten(`${path}: ${value}`, 0)}` };
}

/**
 * @param {Uint8Array} text
 * @param {number} start of the line after which to search
 * @param {string} path
 * @returns {boolean}
 */
function hasLine(text, start, path) {
  return (
    Buffer.from(text.buffer, text.byteOffset, text.length).indexOf(`\n${path}\t`, start) !== -1
  );
}

/** @type {(expectedLine: Line, foundLine: Line) => { expected: string, found: string }} */
function showAroundDifference(expectedLine, foundLine) {
  const { value } = expectedLine;
  let position = 0;
  while (position < value.length && value[position] === foundLine.value[position]) position++;
  return { expected: shorten(value, position), found: shorten(foundLine.value, position) };
}

/**
 * @param {string} value
 * @param {number} position of the character that must remain visible
 * @returns {string} the whole value if it is short
 */
function shorten(value, position) {
  if (value.length <= CHARACTERS_BEFORE + CHARACTERS_AFTER) return value;
  const type = value.slice(0, value.indexOf(' ') + 1);
  const start = position <= CHARACTERS_BEFORE ? 0 : position - CHARACTERS_BEFORE;
  const end = start + CHARACTERS_BEFORE + CHARACTERS_AFTER;
  const beginning = start === 0 ? '' : `${start > type.length ? type : ''}…`;
  const ending = end < value.length ? '…' : '';
  const length = ` (${value.length} characters)`;
  return `${beginning}${value.slice(start, end)}${ending}${length}`;
}

/**
 * Description of the first difference of two outputs.
 * @typedef {object} Explanation
 * @property {string} path of the element, or `(whole document)`
 * @property {string} expected one line
 * @property {string} found one line
 */

/**
 * First byte in which two arrays differ.
 * @param {Uint8Array} expected
 * @param {Uint8Array} found
 * @param {number} from offset to start at
 * @returns {number | null} Offset of the first difference at or after `from`; the end of the
 *   shorter one if only the lengths differ; null if nothing does.
 */
function findDifference(expected, found, from) {
  const shorter = Math.min(expected.length, found.length);
  for (let offset = from; offset < shorter; offset++) {
    if (expected[offset] !== found[offset]) return offset;
  }
  return expected.length === found.length ? null : Math.max(from, shorter);
}

import { findDifference } from './find-difference.js';
import { WHOLE_DOCUMENT } from './path-text.js';

/** @typedef {import('./find-difference.js').Explanation} Explanation */

const LINE_FEED = 0x0a;
const ABSENT = '(absent)';

// A long value is shown as this much before and after the first character that differs.
const CHARACTERS_BEFORE = 24;
const CHARACTERS_AFTER = 40;

/**
 * Says where two descriptions made by `describeValue` part: path, expected and found value of the
 * first line that differs. A line that only one of them has is shown as absent from the other, and
 * values that changed places are named as such.
 *
 * @param {Uint8Array} expected UTF-8.
 * @param {Uint8Array} found UTF-8.
 * @returns {Explanation} Long values are shortened to the characters around the difference.
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
 * @param {number} offset Up to which both are the same.
 * @returns {number} Offset, in both, of the first line that differs.
 */
function findLineStart(expected, found, offset) {
  // One text ends with a line that the other has too, so it is the next line that differs.
  if ((expected[offset] ?? LINE_FEED) === (found[offset] ?? LINE_FEED)) return offset + 1;
  return offset === 0 ? 0 : expected.lastIndexOf(LINE_FEED, offset - 1) + 1;
}

/**
 * @typedef {object} Line
 * @property {string} path
 * @property {string} value Type and exact value.
 */

/**
 * @param {Uint8Array} text
 * @param {number} start Of the line.
 * @returns {Line | null} Null after the last line.
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
 * @param {'expected' | 'found'} side That has the line.
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
 * @param {number} start Of the line after which to look.
 * @param {string} path
 * @returns {boolean}
 */
function hasLine(text, start, path) {
  return (
    Buffer.from(text.buffer, text.byteOffset, text.length).indexOf(`\n${path}\t`, start) !== -1
  );
}

/**
 * @param {Line} expectedLine
 * @param {Line} foundLine
 * @returns {{ expected: string, found: string }}
 */
function showAroundDifference(expectedLine, foundLine) {
  const { value } = expectedLine;
  let position = 0;
  while (position < value.length && value[position] === foundLine.value[position]) position++;
  return { expected: shorten(value, position), found: shorten(foundLine.value, position) };
}

/**
 * @param {string} value
 * @param {number} position Of the character that has to stay visible.
 * @returns {string} The whole value where it is short.
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

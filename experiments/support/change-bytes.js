/**
 * Random changes of BSON to read that keep it valid, and its length: numbers, text, keys, ids, dates, types. A timed loop
 * changes the same four bytes of each document; what looks at those alone does not see these. See decision 0027.
 */

import { findPath, walkBson } from './walk-bson.js';
import { showPath } from '../../harness/worker/path-text.js';

/** @import { PickIndex } from '../../harness/formats/types.ts' */
/** @import { Part } from './walk-bson.js' */
/** @import { Change } from './change-document.js' */

/** @typedef {{ at: number, to: number }} NewByte */

/** Types of the same length, with the byte that makes the first the second. @type {Record<string, number>} */
const OTHER_TYPES = { string: 0x0d, date: 0x11, null: 0xff };

/** Bytes of a number whose change keeps it a number, in any form that it is read as. @type {Record<string, number>} */
const SAFE_BYTES = { int32: 4, int64: 6, double: 6, date: 4, objectId: 12, timestamp: 8 };

const MAX_DATE_MS = 8_600_000_000_000_000n;

/** Subtypes of binary values without an inner structure. */
const PLAIN_SUBTYPES = [0x00, 0x04, 0x05, 0x80];

/**
 * Chooses a random change of a BSON document.
 * @param {Buffer} bytes
 * @param {PickIndex} pick
 * @param {{ except: number, keepsTypes?: boolean, isRead?: (part: Part) => boolean }} options `except`: offset of four bytes
 *   that change anyway; `keepsTypes`: for a reader of text, to which some types are the same; `isRead`: for a reader of parts
 * @returns {Change | null}
 */
export function chooseByteChange(bytes, pick, { except, keepsTypes = false, isRead = () => true }) {
  /** @type {{ byte: NewByte, part: Part } | null} */
  let chosen = null;
  let seen = 0;
  for (const part of walkBson(bytes)) {
    const byte = isRead(part) ? changePart(bytes, part, pick, keepsTypes) : null;
    if (byte === null || (byte.at >= except && byte.at < except + 4)) continue;
    seen++;
    if (pick(seen) === 0) chosen = { byte, part };
  }
  if (chosen === null) return null;
  const { byte, part } = chosen;
  const { at, to } = byte;
  const old = bytes[at];
  return {
    what: `the ${part.name} (${part.type}) of ${showPath(findPath(part))}`,
    isShared: part.type === 'binary',
    apply: () => void (bytes[at] = to),
    undo: () => void (bytes[at] = old),
  };
}

/** @type {(bytes: Buffer, part: Part, pick: PickIndex, keepsTypes: boolean) => NewByte | null} */
function changePart(bytes, { name, type, level, start, end }, pick, keepsTypes) {
  if (name === 'type byte') {
    const to = OTHER_TYPES[type];
    return keepsTypes || to === undefined ? null : { at: start, to };
  }
  if (name === 'key') {
    // Names of elements are not read in arrays, and what begins with `$` may have a meaning.
    if (level.type === 'array' || bytes[start] === 0x24) return null;
    return changeLetter(bytes, start, end - 1, pick);
  }
  if (name !== 'value') return null;
  if (type === 'string' || type === 'symbol' || type === 'code') {
    return changeLetter(bytes, start, end - 1, pick);
  }
  if (type === 'boolean') return { at: start, to: bytes[start] ^ 1 };
  if (type === 'binary') {
    const length = end - start - 1;
    if (length === 0 || !PLAIN_SUBTYPES.includes(bytes[start])) return null;
    return flip(bytes, start + 1 + pick(length), pick);
  }
  // An invalid date is like another one.
  if (type === 'date' && !isValidDate(bytes.readBigInt64LE(start))) return null;
  // Neither infinite nor NaN.
  if (type === 'double' && (bytes.readUInt16LE(start + 6) & 0x7ff0) === 0x7ff0) return null;
  const count = SAFE_BYTES[type];
  return count === undefined ? null : flip(bytes, start + pick(count), pick);
}

/** @param {bigint} ms and what is some weeks from it */
function isValidDate(ms) {
  return ms > -MAX_DATE_MS && ms < MAX_DATE_MS;
}

/** @type {(bytes: Buffer, at: number, pick: PickIndex) => NewByte} */
function flip(bytes, at, pick) {
  return { at, to: bytes[at] ^ (1 + pick(127)) };
}

/** Letters of ASCII for such letters. @type {(bytes: Buffer, start: number, end: number, pick: PickIndex) => NewByte | null} */
function changeLetter(bytes, start, end, pick) {
  if (start >= end) return null;
  const from = start + pick(end - start);
  for (let at = from; at < end; at++) {
    const isLetter = /[a-zA-Z]/.test(String.fromCharCode(bytes[at]));
    if (isLetter) return { at, to: bytes[at] ^ (pick(2) === 0 ? 0x20 : 0x03) };
  }
  return null;
}

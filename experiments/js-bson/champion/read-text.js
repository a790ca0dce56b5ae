import { BSONError } from '../codec/values.js';
import { bytes as b, bytes, view } from './scratch.js';

/** Up to this many bytes, a call of fixed arity is faster than one into the runtime. */
const LONGEST_DIRECT_READ = 24;

const NON_ASCII_BITS = 0x80808080;

/** @type {TextDecoder | null} made when it is first needed */
let strictDecoder = null;

/**
 * Reads UTF-8 text.
 * @param {number} start
 * @param {number} end exclusive
 * @param {boolean} validate whether invalid UTF-8 is an error; otherwise it becomes U+FFFD
 * @returns {string}
 * @throws {BSONError} if `validate` is set and the bytes are not valid UTF-8
 */
export function readText(start, end, validate) {
  const length = end - start;
  if (length <= LONGEST_DIRECT_READ && isAscii(start, end)) {
    return length <= 12 ? readTiny(start, length) : readShort(start, length);
  }
  const text = bytes.utf8Slice(start, end);
  if (validate && text.includes('\uFFFD')) requireUtf8(start, end);
  return text;
}

/** @type {(start: number, end: number) => boolean} */
function isAscii(start, end) {
  let bits = 0;
  let at = start;
  for (; at + 4 <= end; at += 4) bits |= view.getInt32(at, true);
  const rest = 8 * (end - at);
  return ((bits | (view.getInt32(at, true) & ((1 << rest) - 1))) & NON_ASCII_BITS) === 0;
}

/**
 * The arity of every call is fixed: spreading an array takes longer than making the text.
 * @type {(i: number, length: number) => string} of up to 12 ASCII characters from `i` on
 */
function readTiny(i, length) {
  const text = String.fromCharCode;
  // prettier-ignore
  switch (length) {
    case 0: return '';
    case 1: return text(b[i]);
    case 2: return text(b[i], b[i + 1]);
    case 3: return text(b[i], b[i + 1], b[i + 2]);
    case 4: return text(b[i], b[i + 1], b[i + 2], b[i + 3]);
    case 5: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4]);
    case 6: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5]);
    case 7: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6]);
    case 8: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7]);
    case 9: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8]);
    case 10: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9]);
    case 11: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10]);
    default: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11]);
  }
}

/** @type {(i: number, length: number) => string} of 13 to 24 */
function readShort(i, length) {
  const text = String.fromCharCode;
  // prettier-ignore
  switch (length) {
    case 13: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12]);
    case 14: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13]);
    case 15: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14]);
    case 16: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15]);
    case 17: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15], b[i + 16]);
    case 18: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15], b[i + 16], b[i + 17]);
    case 19: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15], b[i + 16], b[i + 17], b[i + 18]);
    case 20: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15], b[i + 16], b[i + 17], b[i + 18], b[i + 19]);
    case 21: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15], b[i + 16], b[i + 17], b[i + 18], b[i + 19], b[i + 20]);
    case 22: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15], b[i + 16], b[i + 17], b[i + 18], b[i + 19], b[i + 20], b[i + 21]);
    case 23: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15], b[i + 16], b[i + 17], b[i + 18], b[i + 19], b[i + 20], b[i + 21], b[i + 22]);
    default: return text(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15], b[i + 16], b[i + 17], b[i + 18], b[i + 19], b[i + 20], b[i + 21], b[i + 22], b[i + 23]);
  }
}

/** @type {(start: number, end: number) => void} */
function requireUtf8(start, end) {
  try {
    strictDecoder ??= new TextDecoder('utf-8', { fatal: true });
    strictDecoder.decode(bytes.subarray(start, end));
  } catch (cause) {
    throw new BSONError(`the string at byte ${start} is not valid UTF-8`, { cause });
  }
}

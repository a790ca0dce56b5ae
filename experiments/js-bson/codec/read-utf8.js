import { BSONError } from './values.js';

/** Up to this many bytes, a loop in JavaScript is faster than a call into the runtime. */
const LONGEST_DIRECT_READ = 20;
const LAST_ASCII = 0x7f;
const REPLACEMENT_CHARACTER = 0xfffd;

/** @type {TextDecoder | null} made when it is first needed */
let strictDecoder = null;

/**
 * Reads UTF-8 text.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end exclusive
 * @param {boolean} validate whether invalid UTF-8 is an error; otherwise it becomes U+FFFD
 * @returns {string}
 * @throws {BSONError} if `validate` is set and the bytes are not valid UTF-8
 */
export function readUtf8(bytes, start, end, validate) {
  if (end - start <= LONGEST_DIRECT_READ) {
    const text = readShortAscii(bytes, start, end);
    if (text !== null) return text;
  }
  const text = bytes.toString('utf8', start, end);
  if (validate && holdsReplacementCharacter(text)) requireUtf8(bytes, start, end);
  return text;
}

/** @type {(bytes: Buffer, start: number, end: number) => string | null} null if a byte is not ASCII */
function readShortAscii(bytes, start, end) {
  const length = end - start;
  if (length === 0) return '';
  // V8 caches strings of one ASCII character, and joining up to three needs no array.
  if (length <= 3) return readTinyAscii(bytes, start, length);
  const codes = [];
  for (let at = start; at < end; at++) {
    const code = bytes[at];
    if (code > LAST_ASCII) return null;
    codes.push(code);
  }
  return String.fromCharCode(...codes);
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} length 1…3
 * @returns {string | null} null if a byte is not ASCII
 */
function readTinyAscii(bytes, start, length) {
  const first = bytes[start];
  if (first > LAST_ASCII) return null;
  if (length === 1) return String.fromCharCode(first);
  const second = bytes[start + 1];
  if (second > LAST_ASCII) return null;
  const pair = String.fromCharCode(first) + String.fromCharCode(second);
  if (length === 2) return pair;
  const third = bytes[start + 2];
  return third > LAST_ASCII ? null : pair + String.fromCharCode(third);
}

/**
 * Only text with U+FFFD can come from invalid bytes. Searched character by character as in bson, as
 * the baseline for faster searches.
 * @type {(text: string) => boolean}
 */
function holdsReplacementCharacter(text) {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === REPLACEMENT_CHARACTER) return true;
  }
  return false;
}

/** @param {Buffer} bytes @param {number} start @param {number} end */
function requireUtf8(bytes, start, end) {
  try {
    strictDecoder ??= new TextDecoder('utf-8', { fatal: true });
    strictDecoder.decode(bytes.subarray(start, end));
  } catch (cause) {
    throw new BSONError(`the string at byte ${start} is not valid UTF-8`, { cause });
  }
}

/** Characters of the hex text of an ObjectId. */
export const HEX_LENGTH = 24;

const LAST_ASCII = 0x7f;
const NO_DIGIT = 0xff;

/** Two lower-case digits of each byte. */
export const HEX_PAIRS = /* @__PURE__ */ Array.from({ length: 256 }, pairOf);

/** By character code up to 127: the value of a digit of either case; 255 if it is not a digit. */
export const DIGIT_VALUES = /* @__PURE__ */ Uint8Array.from({ length: LAST_ASCII + 1 }, valueOf);

/** By character code up to 127: the lower-case digit's code; 255 if it is not a digit. */
const LOWER_DIGITS = /* @__PURE__ */ DIGIT_VALUES.map(lowerCodeOf);

const HIGH_CODES = /* @__PURE__ */ Uint8Array.from(HEX_PAIRS, highCodeOf);
const LOW_CODES = /* @__PURE__ */ Uint8Array.from(HEX_PAIRS, lowCodeOf);

/** Used by `copyHexId`, so that no call allocates. */
const codes = /* @__PURE__ */ new Uint8Array(HEX_LENGTH);

/**
 * Whether a string is the hex text of an ObjectId: 24 digits of either case.
 * @type {(text: string) => boolean}
 */
export function isHexId(text) {
  if (text.length !== HEX_LENGTH) return false;
  for (let at = 0; at < HEX_LENGTH; at++) {
    const code = text.charCodeAt(at);
    if (code > LAST_ASCII || DIGIT_VALUES[code] === NO_DIGIT) return false;
  }
  return true;
}

/**
 * The same text in lower case as a new flat string. The input may be a rope, or a slice that keeps
 * a long string alive. One pass that checks and copies takes a tenth longer than checking alone; V8
 * returns a flat string from a single call of String.fromCharCode.
 * @type {(text: string) => string | null} null if it is not the hex text of an ObjectId
 */
export function copyHexId(text) {
  if (text.length !== HEX_LENGTH) return null;
  let seen = 0;
  for (let at = 0; at < HEX_LENGTH; at++) {
    const code = text.charCodeAt(at);
    const digit = LOWER_DIGITS[code & LAST_ASCII];
    seen |= code | digit;
    codes[at] = digit;
  }
  if (seen > LAST_ASCII) return null;
  return String.fromCharCode(
    codes[0],
    codes[1],
    codes[2],
    codes[3],
    codes[4],
    codes[5],
    codes[6],
    codes[7],
    codes[8],
    codes[9],
    codes[10],
    codes[11],
    codes[12],
    codes[13],
    codes[14],
    codes[15],
    codes[16],
    codes[17],
    codes[18],
    codes[19],
    codes[20],
    codes[21],
    codes[22],
    codes[23],
  );
}

/**
 * Hex text of 12 bytes, lower case and flat. Twice as fast as `hexSlice`, a call into the runtime,
 * and 1.5 times as fast as concatenating pairs, which gives a rope, or a loop over characters.
 * @type {(bytes: Uint8Array, offset: number) => string}
 */
export function hexOfBytes(bytes, offset) {
  return String.fromCharCode(
    HIGH_CODES[bytes[offset]],
    LOW_CODES[bytes[offset]],
    HIGH_CODES[bytes[offset + 1]],
    LOW_CODES[bytes[offset + 1]],
    HIGH_CODES[bytes[offset + 2]],
    LOW_CODES[bytes[offset + 2]],
    HIGH_CODES[bytes[offset + 3]],
    LOW_CODES[bytes[offset + 3]],
    HIGH_CODES[bytes[offset + 4]],
    LOW_CODES[bytes[offset + 4]],
    HIGH_CODES[bytes[offset + 5]],
    LOW_CODES[bytes[offset + 5]],
    HIGH_CODES[bytes[offset + 6]],
    LOW_CODES[bytes[offset + 6]],
    HIGH_CODES[bytes[offset + 7]],
    LOW_CODES[bytes[offset + 7]],
    HIGH_CODES[bytes[offset + 8]],
    LOW_CODES[bytes[offset + 8]],
    HIGH_CODES[bytes[offset + 9]],
    LOW_CODES[bytes[offset + 9]],
    HIGH_CODES[bytes[offset + 10]],
    LOW_CODES[bytes[offset + 10]],
    HIGH_CODES[bytes[offset + 11]],
    LOW_CODES[bytes[offset + 11]],
  );
}

/**
 * Writes the 12 bytes of a hex text that has been checked.
 * @param {string} text
 * @param {Uint8Array} bytes
 * @param {number} offset
 */
export function writeHexId(text, bytes, offset) {
  for (let at = 0; at < HEX_LENGTH; at += 2) {
    bytes[offset + (at >> 1)] = byteAt(text, at);
  }
}

/**
 * @param {string} text that has been checked
 * @param {number} at
 * @returns {number} the byte of the two digits at this index
 */
export function byteAt(text, at) {
  return (DIGIT_VALUES[text.charCodeAt(at)] << 4) | DIGIT_VALUES[text.charCodeAt(at + 1)];
}

/** @type {(_hole: unknown, byte: number) => string} */
function pairOf(_hole, byte) {
  return byte.toString(16).padStart(2, '0');
}

/** @type {(_hole: unknown, code: number) => number} */
function valueOf(_hole, code) {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  // Upper case.
  const letter = code & ~0x20;
  return letter >= 0x41 && letter <= 0x46 ? letter - 0x41 + 10 : NO_DIGIT;
}

/**
 * @param {number} value of a digit
 * @returns {number}
 */
function lowerCodeOf(value) {
  return value === NO_DIGIT ? NO_DIGIT : value.toString(16).charCodeAt(0);
}

/** @type {(pair: string) => number} */
function highCodeOf(pair) {
  return pair.charCodeAt(0);
}

/** @type {(pair: string) => number} */
function lowCodeOf(pair) {
  return pair.charCodeAt(1);
}

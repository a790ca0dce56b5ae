import { BSONError } from '../codec/values.js';
import { bytes, view as input } from '../champion/scratch.js';
import { stringify } from '../operations/support/operation.js';

/** @import { Sink } from './make-json-writer.js' */

/** Room for a document of ten thousand bytes; it grows. */
const FIRST_BYTES = 1 << 16;
/**
 * The most bytes of JSON for a byte of BSON: a control character has 6, an integer that is not exact 5.6
 * (`{"low":-2147483648,"high":-2147483648,"unsigned":false},` for 10), an empty key of null 4 (`"":null,` for 2).
 */
const MOST_GROWTH = 6;
/** Words may end after the last byte. */
const SLACK_BYTES = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;

/** Bytes of the four in a word. */
const EACH = 0x01010101;
const HIGH_BITS = 0x80808080;

/** By character of ASCII, what JSON text has in its place; null for the character itself. */
const ESCAPES = Array.from({ length: 128 }, (_, code) =>
  code < 0x20 || code === QUOTE || code === BACKSLASH
    ? Buffer.from(stringify(String.fromCharCode(code)).slice(1, -1))
    : null,
);
/** By byte, its two digits as a word. */
const HEX = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, '0')).readUInt16LE(),
);

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('0000-01-01');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A short text in words. @typedef {{ words: number[], size: number }} Packed */

/**
 * Collects JSON text as bytes. Text of the document is copied, not made a string: four bytes at a time where none of them
 * is escaped or part of a longer character, which is checked.
 * @type {() => Sink<Packed>}
 */
export function makeBytesSink() {
  let out = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let view = new DataView(out.buffer);
  let at = 0;

  /** @param {string} text */
  function addAscii(text) {
    for (let index = 0; index < text.length; index++) out[at++] = text.charCodeAt(index);
  }

  /** @param {Uint8Array} some */
  function copy(some) {
    for (let index = 0; index < some.length; index++) out[at++] = some[index];
  }

  /** @type {(value: number, end: number) => void} digits of a whole number, up to the one before `end` */
  function putDigits(value, end) {
    let rest = value;
    for (let place = end - 1; place >= at; place--) {
      const tenth = Math.floor(rest / 10);
      out[place] = ZERO + rest - 10 * tenth;
      rest = tenth;
    }
    at = end;
  }

  /** @param {number} value @param {number} count @param {number} next character */
  function addPart(value, count, next) {
    putDigits(value, at + count);
    out[at++] = next;
  }

  return {
    begin(sizeBytes) {
      at = 0;
      const needed = sizeBytes * MOST_GROWTH + SLACK_BYTES;
      if (needed <= out.length) return;
      out = Buffer.allocUnsafeSlow(2 * needed);
      view = new DataView(out.buffer);
    },

    prepare(text) {
      const size = Buffer.byteLength(text);
      const padded = Buffer.alloc(size + 3);
      padded.write(text);
      const words = [];
      for (let start = 0; start < size; start += 4) words.push(padded.readInt32LE(start));
      return { words, size };
    },

    add({ words, size }) {
      for (let word = 0; word < words.length; word++) {
        view.setInt32(at + 4 * word, words[word], true);
      }
      at += size;
    },

    addAscii,

    addAny(text) {
      at += out.write(text, at);
    },

    addString(start, end) {
      out[at++] = QUOTE;
      let from = start;
      while (from < end) {
        const word = input.getInt32(from, true);
        if (from + 4 <= end && isPlain(word)) {
          view.setInt32(at, word, true);
          at += 4;
          from += 4;
          continue;
        }
        const code = bytes[from];
        if (code >= 0x80) {
          const after = endOfCharacter(from);
          while (from < after) out[at++] = bytes[from++];
          continue;
        }
        const escape = ESCAPES[code];
        if (escape === null) out[at++] = code;
        else copy(escape);
        from++;
      }
      out[at++] = QUOTE;
    },

    addInteger(value) {
      if (value < 0) out[at++] = MINUS;
      const size = Math.abs(value);
      let end = at + 1;
      for (let limit = 10; size >= limit; limit *= 10) end++;
      putDigits(size, end);
    },

    addDate(ms) {
      if (!(ms >= FIRST_MS && ms <= LAST_MS)) {
        addAscii(stringify(new Date(ms)));
        return;
      }
      const days = Math.floor(ms / DAY_MS);
      const timeMs = ms - days * DAY_MS;
      const { year, month, day } = findDate(days);
      out[at++] = QUOTE;
      addPart(year, 4, MINUS);
      addPart(month, 2, MINUS);
      addPart(day, 2, 0x54);
      addPart(Math.floor(timeMs / 3_600_000), 2, COLON);
      addPart(Math.floor(timeMs / 60_000) % 60, 2, COLON);
      addPart(Math.floor(timeMs / 1000) % 60, 2, POINT);
      addPart(timeMs % 1000, 3, 0x5a);
      out[at++] = QUOTE;
    },

    addObjectId(start) {
      out[at++] = QUOTE;
      for (let index = start; index < start + 12; index++) {
        view.setUint16(at, HEX[bytes[index]], true);
        at += 2;
      }
      out[at++] = QUOTE;
    },

    finish() {
      const result = Buffer.allocUnsafe(at);
      out.copy(result, 0, 0, at);
      return result;
    },
  };
}

/**
 * Whether JSON has four bytes as they are: none is above ASCII, a control character, a quote or a backslash. A
 * subtraction sets the high bit of a byte that is smaller, and without high bits before, of no other byte alone.
 * @type {(word: number) => boolean}
 */
function isPlain(word) {
  const isControl = word - 0x20 * EACH;
  const isQuote = (word ^ (QUOTE * EACH)) - EACH;
  const isBackslash = (word ^ (BACKSLASH * EACH)) - EACH;
  return ((word | isControl | isQuote | isBackslash) & HIGH_BITS) === 0;
}

/**
 * Checks a character of more than one byte. A text ends with a zero, so that none is read beyond its end.
 * Source: the table of well-formed UTF-8 of the Unicode Standard, section 3.9.
 * @type {(at: number) => number} index after it
 * @throws {BSONError}
 */
function endOfCharacter(at) {
  const first = bytes[at];
  const second = bytes[at + 1];
  if (first < 0xe0) {
    if (first >= 0xc2 && isContinuation(second)) return at + 2;
  } else if (first < 0xf0) {
    const isInRange = first === 0xe0 ? second >= 0xa0 : first !== 0xed || second < 0xa0;
    if (isInRange && isContinuation(second) && isContinuation(bytes[at + 2])) return at + 3;
  } else {
    const isInRange = first === 0xf0 ? second >= 0x90 : first < 0xf4 || second < 0x90;
    const isValid = first <= 0xf4 && isInRange && isContinuation(second);
    if (isValid && isContinuation(bytes[at + 2]) && isContinuation(bytes[at + 3])) return at + 4;
  }
  throw new BSONError(`the text at byte ${at} is not valid UTF-8`);
}

/** @param {number} byte */
function isContinuation(byte) {
  return (byte & 0xc0) === 0x80;
}

/**
 * The date of a day in the Gregorian calendar.
 * Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
 * @param {number} days since 1970
 */
function findDate(days) {
  const fromMarch = days + 719_468;
  const era = Math.floor(fromMarch / 146_097);
  const dayOfEra = fromMarch - era * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear =
    dayOfEra - 365 * yearOfEra - Math.floor(yearOfEra / 4) + Math.floor(yearOfEra / 100);
  const fifth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fifth < 10 ? fifth + 3 : fifth - 9;
  const day = dayOfYear - Math.floor((153 * fifth + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

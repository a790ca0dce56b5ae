import { readText } from './read-text.js';
import { view } from './scratch.js';

/** Keys whose bytes are remembered: a power of two. */
const SLOTS = 4096;
const SLOT_WORDS = 8;
/** So that a slot has room for the key. */
const LONGEST_KEY = 4 * SLOT_WORDS - 1;

/** @type {Int32Array | null} the bytes of the keys, padded with zeros; made when they are first needed */
let words = null;
/** @type {string[]} */
let keys = [];

/** @returns {Int32Array} */
function makeSlots() {
  words = new Int32Array(SLOTS * SLOT_WORDS);
  keys = new Array(SLOTS).fill('');
  return words;
}

/** @type {(word: number) => number} a bit of the first zero byte of a word is the lowest one set; 0 if there is none */
function markZeros(word) {
  return (word - 0x01010101) & ~word & 0x80808080;
}

/** @type {(marked: number) => number} how many bytes are before the first zero byte */
function countBefore(marked) {
  return (31 - Math.clz32(marked & -marked)) >> 3;
}

/**
 * @param {number} at
 * @param {number} end exclusive
 * @returns {number} index of the first zero byte from `at` on; at least `end` if there is none
 */
export function findZero(at, end) {
  for (; at < end; at += 4) {
    const marked = markZeros(view.getInt32(at, true));
    if (marked !== 0) return at + countBefore(marked);
  }
  return at;
}

/**
 * Makes a string of a key, or finds that of a key with the same bytes. A string that has been a key before is a key
 * again in a fraction of the time: V8 has found its place in the table of all names.
 * @param {number} at
 * @param {number} keyEnd its terminator
 * @returns {string} invalid UTF-8 becomes U+FFFD
 */
export function readKey(at, keyEnd) {
  const length = keyEnd - at;
  if (length > LONGEST_KEY) return readText(at, keyEnd, false);
  const slots = words ?? makeSlots();
  const whole = length >> 2;
  const lastMask = (1 << (8 * (length & 3))) - 1;
  let hash = length;
  for (let word = 0; word < whole; word++) {
    hash = mix(hash, view.getInt32(at + 4 * word, true));
  }
  const last = view.getInt32(at + 4 * whole, true) & lastMask;
  const slot = mix(hash, last) & (SLOTS - 1);
  const first = slot * SLOT_WORDS;
  // Keys hold no zeros, so that the padding tells where one ends.
  const isEnd = whole === SLOT_WORDS - 1 || slots[first + whole + 1] === 0;
  let isSame = isEnd && slots[first + whole] === last;
  for (let word = 0; isSame && word < whole; word++) {
    isSame = slots[first + word] === view.getInt32(at + 4 * word, true);
  }
  if (isSame) return keys[slot];
  for (let word = 0; word < whole; word++) {
    slots[first + word] = view.getInt32(at + 4 * word, true);
  }
  slots[first + whole] = last;
  slots.fill(0, first + whole + 1, first + SLOT_WORDS);
  keys[slot] = readText(at, keyEnd, false);
  return keys[slot];
}

/** @type {(hash: number, word: number) => number} */
function mix(hash, word) {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

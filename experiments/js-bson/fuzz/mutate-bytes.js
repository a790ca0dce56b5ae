/** @import { Draft } from './draft.js' */
/** @import { FastChance } from './fast-chance.js' */

/**
 * Mutations that treat a document as a sequence of bytes.
 *
 * @typedef {(draft: Draft, chance: FastChance) => void} ByteMutation
 */

const BYTES = [0, 1, 2, 3, 4, 5, 15, 16, 19, 0x24, 127, 128, 255];
const INTEGERS = [0, 1, -1, 4, 5, 0x7fffffff, -0x80000000];
/** Invalid UTF-8: overlong, surrogates, out of range, truncated, stray. */
const WRONG_UTF8 = [
  'ff',
  'c080',
  'c0',
  'e08080',
  'eda080',
  'edb080',
  'f4908080',
  'f09f98',
  '80',
].map((hex) => Buffer.from(hex, 'hex'));
const NOTHING = Buffer.alloc(0);
const MAX_RANGE_BYTES = 24;
const MAX_SURROUNDING_BYTES = 8;

/** @type {ByteMutation[]} */
export const BYTE_MUTATIONS = [
  changeByte,
  changeByte,
  changeByte,
  flipBit,
  flipBit,
  changeInteger,
  breakText,
  breakText,
  removeRange,
  repeatRange,
  insertByte,
  truncate,
  embed,
];

/** @type {ByteMutation} */
function changeByte(draft, chance) {
  if (draft.length === 0) return;
  const value = chance.happens(50) ? chance.pick(BYTES) : chance.below(256);
  draft.bytes[chance.below(draft.length)] = value;
}

/** @type {ByteMutation} */
function flipBit(draft, chance) {
  if (draft.length === 0) return;
  draft.bytes[chance.below(draft.length)] ^= 1 << chance.below(8);
}

/** @type {ByteMutation} */
function changeInteger(draft, chance) {
  if (draft.length < 4) return;
  draft.writeSize(chance.below(draft.length - 3), chance.pick(INTEGERS));
}

/** @type {ByteMutation} */
function breakText(draft, chance) {
  const wrong = chance.pick(WRONG_UTF8);
  if (draft.length <= wrong.length) return;
  draft.bytes.set(wrong, chance.below(draft.length - wrong.length));
}

/** @type {ByteMutation} */
function removeRange(draft, chance) {
  if (draft.length === 0) return;
  const at = chance.below(draft.length);
  const count = Math.min(1 + chance.below(MAX_RANGE_BYTES), draft.length - at);
  draft.replace(at, count, NOTHING);
  settleSize(draft, chance);
}

/** @type {ByteMutation} */
function repeatRange(draft, chance) {
  if (draft.length === 0) return;
  const at = chance.below(draft.length);
  const count = Math.min(1 + chance.below(MAX_RANGE_BYTES), draft.length - at);
  draft.replace(at, 0, Buffer.from(draft.bytes.subarray(at, at + count)));
  settleSize(draft, chance);
}

/** @type {ByteMutation} */
function insertByte(draft, chance) {
  draft.replace(chance.below(draft.length + 1), 0, Buffer.of(chance.pick(BYTES)));
  settleSize(draft, chance);
}

/** @type {ByteMutation} */
function truncate(draft, chance) {
  draft.length = chance.below(draft.length + 1);
  settleSize(draft, chance);
  if (draft.length > 0 && chance.happens(70)) draft.bytes[draft.length - 1] = 0;
}

/** Puts bytes before and after the document, which is then read from an index on. @type {ByteMutation} */
function embed(draft, chance) {
  if (draft.index !== 0) return;
  const before = makeNoise(chance);
  if (!draft.replace(0, 0, before)) return;
  draft.index = before.length;
  draft.replace(draft.length, 0, makeNoise(chance));
}

/**
 * @param {FastChance} chance
 * @returns {Buffer}
 */
function makeNoise(chance) {
  const noise = Buffer.alloc(chance.below(MAX_SURROUNDING_BYTES));
  for (let at = 0; at < noise.length; at++) noise[at] = chance.next();
  return noise;
}

/**
 * @param {Draft} draft
 * @param {FastChance} chance
 */
function settleSize(draft, chance) {
  if (draft.index === 0 && chance.happens(75)) draft.agree();
}

/** @import { Draft, FastChance } from './draft.js' */
/** @import { Element, Pool, Seedling } from './pool.js' */

/**
 * How a mutated document is read and written again. `change` among the options of writing is the seed of a
 * change of the document between the two; implementations ignore it.
 * @typedef {{ readOptions: Record<string, any>, writeOptions: Record<string, any> }} Handling
 */

/**
 * A seedling with one to four mutations.
 * @param {Draft} draft takes the bytes
 * @param {Pool} pool
 * @param {FastChance} chance
 * @returns {Handling}
 */
export function mutateDocument(draft, { seedlings, cases }, chance) {
  // The same number of draws in both cases, so that a new case does not change other documents.
  const isCase = chance.happens(4) && cases.length > 0;
  const seedling = chance.pick(isCase ? cases : seedlings);
  draft.load(seedling.bytes);
  const isStructural = chance.happens(70);
  if (isStructural) chance.pick(STRUCTURAL_MUTATIONS)(draft, seedling, chance, seedlings);
  const byteCount = isStructural ? chance.below(5) - 2 : 1 + chance.below(3);
  for (let left = byteCount; left > 0; left--) chance.pick(BYTE_MUTATIONS)(draft, chance);
  const readOptions = chance.happens(50) ? READ_OPTIONS[0] : chance.pick(READ_OPTIONS);
  const writeOptions = chance.happens(80) ? WRITE_OPTIONS[0] : chance.pick(WRITE_OPTIONS);
  if (draft.index === 0) return { readOptions, writeOptions };
  const place = { index: draft.index, allowObjectSmallerThanBufferSize: true };
  return { readOptions: { ...readOptions, ...place }, writeOptions };
}

/**
 * Options of `deserialize` under which documents are fuzzed; the first is the most frequent.
 * @type {Record<string, any>[]}
 */
export const READ_OPTIONS = [
  {},
  { promoteValues: false },
  { promoteValues: false, bsonRegExp: true },
  { promoteLongs: false },
  { promoteBuffers: true },
  { useBigInt64: true },
  { bsonRegExp: true },
  { raw: true },
  { fieldsAsRaw: {} },
  { fieldsAsRaw: { a: true, b: true, list: true, 0: true } },
  { validation: { utf8: false } },
  { validation: { utf8: { a: true, b: true } } },
  { validation: { utf8: { a: false } } },
  { allowObjectSmallerThanBufferSize: true },
];

/**
 * Options of `serialize` for writing the result again; the first is the most frequent.
 * @type {Record<string, any>[]}
 */
export const WRITE_OPTIONS = [
  {},
  { checkKeys: true },
  { ignoreUndefined: false },
  { ignoreUndefined: false, serializeFunctions: true },
];

/**
 * Mutations that treat a document as a sequence of bytes.
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
const BYTE_MUTATIONS = [
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
export function changeByte(draft, chance) {
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

/** @type {(chance: FastChance) => Buffer} */
function makeNoise(chance) {
  const noise = Buffer.alloc(chance.below(MAX_SURROUNDING_BYTES));
  for (let at = 0; at < noise.length; at++) noise[at] = chance.next();
  return noise;
}

/** @param {Draft} draft @param {FastChance} chance */
function settleSize(draft, chance) {
  if (draft.index === 0 && chance.happens(75)) draft.agree();
}

/**
 * Mutations of elements, sizes and keys. Each is the first mutation of a draft, which still has the
 * bytes of the seedling.
 * @typedef {(draft: Draft, seedling: Seedling, chance: FastChance, others: Seedling[]) => void}
 *   StructuralMutation
 */

const TYPES = [...Array(20).keys(), 0x7f, 0xff];
const ODD_TYPES = [0x14, 0x7e, 0x80, 0xfe];
const KEYS = [
  '__proto__',
  'constructor',
  '_bsontype',
  '$ref',
  '$id',
  '$db',
  '$odd',
  'toBSON',
  'toString',
  'length',
  '',
  '0',
  'a.b',
  'é漢',
].map((key) => Buffer.from(`${key}\0`));
const SIZES = [
  0, 1, -1, 2, 3, 4, 5, 6, 12, 13, 0x7fffffff, -0x80000000, 0x7ffffffb, 0x10000, 255, 256,
];
const NEARBY = [-5, -4, -1, 1, 4, 5];
/** Payloads of eight bytes: limits of doubles and integers. */
const EXTREMES = [
  '0000000000000080',
  '010000000000f87f',
  '010000000000f07f',
  '000000000000f0ff',
  '0100000000000000',
  'ffffffffffffef7f',
  '0000000000002000',
  '0100000000002000',
  'ffffffffffff1f00',
  '000000000000e0ff',
  'ffffffffffffffff',
  'ffffffffffffff7f',
].map((hex) => Buffer.from(hex, 'hex'));
const MAX_LEVELS = 400;
/** A level of nesting: size, type, key 'k' with its terminator, … and the terminator. */
const OPENING_BYTES = 7;
const NESTED_TYPES = [0x03, 0x04];

/** @type {StructuralMutation[]} */
const STRUCTURAL_MUTATIONS = [
  spliceElement,
  spliceElement,
  spliceElement,
  removeElement,
  repeatElement,
  renameKey,
  renameKey,
  changeType,
  changeType,
  changeSize,
  changeSize,
  changeEnd,
  changePayload,
  nestDeeper,
];

/** @type {StructuralMutation} */
export function spliceElement(draft, seedling, chance, others) {
  const other = chance.pick(others);
  if (other.elements.length === 0) return;
  const { start, end } = chance.pick(other.elements);
  const inserted = other.bytes.subarray(start, end);
  if (seedling.elements.length === 0) return;
  const element = chance.pick(seedling.elements);
  const removedCount = chance.happens(50) ? element.end - element.start : 0;
  replaceCounted(draft, element, { at: element.start, removedCount, inserted }, chance);
}

/** @type {StructuralMutation} */
export function removeElement(draft, { elements }, chance) {
  if (elements.length === 0) return;
  const element = chance.pick(elements);
  const removedCount = element.end - element.start;
  replaceCounted(draft, element, { at: element.start, removedCount, inserted: NOTHING }, chance);
}

/** @type {StructuralMutation} */
export function repeatElement(draft, { elements, bytes }, chance) {
  if (elements.length === 0) return;
  const element = chance.pick(elements);
  const inserted = bytes.subarray(element.start, element.end);
  replaceCounted(draft, element, { at: element.end, removedCount: 0, inserted }, chance);
}

/** @type {StructuralMutation} */
export function renameKey(draft, { elements }, chance) {
  if (elements.length === 0) return;
  const element = chance.pick(elements);
  const at = element.start + 1;
  const removedCount = element.keyEnd - at;
  replaceCounted(draft, element, { at, removedCount, inserted: chance.pick(KEYS) }, chance);
}

/** @type {StructuralMutation} */
export function changeType(draft, { elements }, chance) {
  if (elements.length === 0) return;
  draft.bytes[chance.pick(elements).start] = chance.pick(chance.happens(90) ? TYPES : ODD_TYPES);
}

/** @type {StructuralMutation} */
export function changeSize(draft, { sizes }, chance) {
  if (sizes.length === 0) return;
  const offset = chance.pick(sizes);
  const isNear = chance.happens(60);
  const left = draft.length - offset;
  const base = chance.happens(70) ? draft.readSize(offset) : left;
  draft.writeSize(offset, isNear ? base + chance.pick(NEARBY) : chance.pick(SIZES));
}

/** @type {StructuralMutation} */
export function changeEnd(draft, { ends }, chance) {
  if (ends.length === 0) return;
  draft.bytes[chance.pick(ends)] = chance.happens(50) ? 1 : 0xff;
}

/** @type {StructuralMutation} */
export function changePayload(draft, { elements }, chance) {
  if (elements.length === 0) return;
  const { keyEnd, end } = chance.pick(elements);
  const payload = chance.pick(EXTREMES);
  draft.bytes.set(payload.subarray(0, Math.max(0, Math.min(payload.length, end - keyEnd))), keyEnd);
}

/** @type {StructuralMutation} */
function nestDeeper(draft, _seedling, chance) {
  const levels = chance.happens(80) ? 1 + chance.below(6) : 1 + chance.below(MAX_LEVELS);
  const inner = draft.length;
  const opening = Buffer.alloc(levels * OPENING_BYTES);
  for (let level = 0; level < levels; level++) {
    const at = level * OPENING_BYTES;
    opening.writeInt32LE(inner + (levels - level) * (OPENING_BYTES + 1), at);
    opening[at + 4] = chance.pick(NESTED_TYPES);
    opening[at + 5] = 0x6b;
  }
  if (draft.replace(0, 0, opening)) draft.replace(draft.length, 0, Buffer.alloc(levels));
}

/**
 * Replaces bytes and usually corrects the enclosing sizes, because a document with wrong sizes is
 * rejected before the mutation is reached.
 * @param {Draft} draft
 * @param {Element} element
 * @param {{ at: number, removedCount: number, inserted: Uint8Array }} change
 * @param {FastChance} chance
 * @returns {boolean} whether it was done
 */
export function replaceCounted(draft, { around }, { at, removedCount, inserted }, chance) {
  if (!draft.replace(at, removedCount, inserted)) return false;
  if (chance.happens(8)) return true;
  const grown = inserted.length - removedCount;
  for (const offset of around) draft.writeSize(offset, draft.readSize(offset) + grown);
  return true;
}

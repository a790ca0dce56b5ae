/** @import { Draft } from './draft.js' */
/** @import { FastChance } from './fast-chance.js' */
/** @import { Element, Seedling } from './index-document.js' */

/**
 * Mutations of elements, sizes and keys. Each is the first mutation of a draft, which still has the
 * bytes of the seedling.
 *
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
const NOTHING = Buffer.alloc(0);
const MAX_LEVELS = 200;
/** A level of nesting: size, type, key 'k' with its terminator, … and the terminator. */
const OPENING_BYTES = 7;
const NESTED_TYPES = [0x03, 0x04];

/** @type {StructuralMutation[]} */
export const STRUCTURAL_MUTATIONS = [
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
function spliceElement(draft, seedling, chance, others) {
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
function removeElement(draft, { elements }, chance) {
  if (elements.length === 0) return;
  const element = chance.pick(elements);
  const removedCount = element.end - element.start;
  replaceCounted(draft, element, { at: element.start, removedCount, inserted: NOTHING }, chance);
}

/** @type {StructuralMutation} */
function repeatElement(draft, { elements, bytes }, chance) {
  if (elements.length === 0) return;
  const element = chance.pick(elements);
  const inserted = bytes.subarray(element.start, element.end);
  replaceCounted(draft, element, { at: element.end, removedCount: 0, inserted }, chance);
}

/** @type {StructuralMutation} */
function renameKey(draft, { elements }, chance) {
  if (elements.length === 0) return;
  const element = chance.pick(elements);
  const at = element.start + 1;
  const removedCount = element.keyEnd - at;
  replaceCounted(draft, element, { at, removedCount, inserted: chance.pick(KEYS) }, chance);
}

/** @type {StructuralMutation} */
function changeType(draft, { elements }, chance) {
  if (elements.length === 0) return;
  draft.bytes[chance.pick(elements).start] = chance.pick(chance.happens(90) ? TYPES : ODD_TYPES);
}

/** @type {StructuralMutation} */
function changeSize(draft, { sizes }, chance) {
  if (sizes.length === 0) return;
  const offset = chance.pick(sizes);
  const isNear = chance.happens(60);
  const left = draft.length - offset;
  const base = chance.happens(70) ? draft.readSize(offset) : left;
  draft.writeSize(offset, isNear ? base + chance.pick(NEARBY) : chance.pick(SIZES));
}

/** @type {StructuralMutation} */
function changeEnd(draft, { ends }, chance) {
  if (ends.length === 0) return;
  draft.bytes[chance.pick(ends)] = chance.happens(50) ? 1 : 0xff;
}

/** @type {StructuralMutation} */
function changePayload(draft, { elements }, chance) {
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
 *
 * @param {Draft} draft
 * @param {Element} element
 * @param {{ at: number, removedCount: number, inserted: Uint8Array }} change
 * @param {FastChance} chance
 */
function replaceCounted(draft, { around }, { at, removedCount, inserted }, chance) {
  if (!draft.replace(at, removedCount, inserted)) return;
  if (chance.happens(8)) return;
  const grown = inserted.length - removedCount;
  for (const offset of around) draft.writeSize(offset, draft.readSize(offset) + grown);
}

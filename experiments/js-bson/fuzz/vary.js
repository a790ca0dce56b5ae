import {
  READ_OPTIONS,
  WRITE_OPTIONS,
  changeByte,
  changeEnd,
  changePayload,
  changeSize,
  changeType,
  mutateDocument,
  removeElement,
  renameKey,
  repeatElement,
  replaceCounted,
  spliceElement,
} from './mutate.js';

/** @import { Draft, FastChance } from './draft.js' */
/** @import { Handling, StructuralMutation } from './mutate.js' */
/** @import { Pool, Seedling } from './pool.js' */

/** Documents in a row that can be variations of one seedling. */
const ROW_LENGTH = 64;
/** Separates the choices for a row from those for a document. */
const ROW_SEED = 0x5eed;
/** Percentage of rows that are variations. */
const VARIED_ROWS = 33;
/** Percentage of the documents of a varied row that are left as they are. */
const UNVARIED = 40;
/** One in so many documents is a flood. */
const FLOOD_INTERVAL = 512;
const NOTHING = Buffer.alloc(0);

/**
 * Makes a random document. In every third row all documents resemble each other, since what an implementation
 * remembers of earlier documents goes wrong where the next one is nearly the same. Now and then, a flood of
 * objects with unknown keys makes it forget.
 * @param {Draft} draft takes the bytes
 * @param {Pool} pool
 * @param {FastChance} chance
 * @param {{ seed: number, number: number }} document
 * @returns {Handling & { kind: string }} with the name of the variation, or 'mutation'
 */
export function drawDocument(draft, pool, chance, { seed, number }) {
  chance.reseed(seed ^ ROW_SEED, Math.floor(number / ROW_LENGTH));
  const isVaried = chance.happens(VARIED_ROWS);
  const seedling = chance.pick(pool.seedlings);
  chance.reseed(seed, number);
  if (chance.below(FLOOD_INTERVAL) === 0) return flood(draft, chance);
  if (isVaried) return varyDocument(draft, seedling, chance, pool.seedlings);
  const handling = mutateDocument(draft, pool, chance);
  return { ...withChange(handling, chance, 10), kind: 'mutation' };
}

/** @type {(handling: Handling, chance: FastChance, percent: number) => Handling} */
function withChange({ readOptions, writeOptions }, chance, percent) {
  const isChanged = chance.happens(percent);
  const change = chance.next();
  return { readOptions, writeOptions: isChanged ? { ...writeOptions, change } : writeOptions };
}

/** @type {(draft: Draft, seedling: Seedling, chance: FastChance, others: Seedling[]) => Handling & { kind: string }} */
function varyDocument(draft, seedling, chance, others) {
  draft.load(seedling.bytes);
  const kind = chance.happens(UNVARIED) ? 'the same' : chance.pick(VARIATION_NAMES);
  VARIATIONS[kind]?.(draft, seedling, chance, others);
  const readOptions = chance.happens(80) ? READ_OPTIONS[0] : chance.pick(READ_OPTIONS);
  const writeOptions = chance.happens(80) ? WRITE_OPTIONS[0] : chance.pick(WRITE_OPTIONS);
  return { ...withChange({ readOptions, writeOptions }, chance, 40), kind };
}

/**
 * Small changes of a document whose shape has been seen before.
 * @type {Record<string, StructuralMutation>}
 */
const VARIATIONS = {
  'other order': swapElements,
  'other order again': swapElements,
  'other byte in a key': changeKeyByte,
  'longer key': lengthenKey,
  'other key': renameKey,
  'other type': changeType,
  'other value': exchangeValue,
  'other value again': exchangeValue,
  'other payload': changePayload,
  'other size': changeSize,
  'other end': changeEnd,
  'missing end': removeEnd,
  'other byte': (draft, _seedling, chance) => changeByte(draft, chance),
  'missing element': removeElement,
  'repeated element': repeatElement,
  'foreign element': spliceElement,
};
export const VARIATION_NAMES = Object.keys(VARIATIONS);

/** Exchanges an element with the one after it. @type {StructuralMutation} */
function swapElements(draft, { elements, bytes }, chance) {
  if (elements.length === 0) return;
  const first = chance.pick(elements);
  const second = elements.find(({ start }) => start === first.end);
  if (second === undefined || second.around.length !== first.around.length) return;
  // In a broken document the last element can end beyond it.
  if (second.end > draft.length) return;
  draft.bytes.set(bytes.subarray(second.start, second.end), first.start);
  draft.bytes.set(bytes.subarray(first.start, first.end), first.start + second.end - second.start);
}

/** @type {StructuralMutation} */
function changeKeyByte(draft, { elements }, chance) {
  if (elements.length === 0) return;
  const { start, keyEnd } = chance.pick(elements);
  const at = start + 1 + chance.below(Math.max(1, keyEnd - start - 1));
  draft.bytes[at] ^= 1 << chance.below(8);
}

/** @type {StructuralMutation} */
function lengthenKey(draft, { elements }, chance) {
  if (elements.length === 0) return;
  const element = chance.pick(elements);
  const inserted = Buffer.alloc(1 + chance.below(4), 0x78);
  replaceCounted(draft, element, { at: element.keyEnd - 1, removedCount: 0, inserted }, chance);
}

/** Gives a key the type and the value of another element. @type {StructuralMutation} */
function exchangeValue(draft, seedling, chance, others) {
  const source = chance.happens(50) ? seedling : chance.pick(others);
  if (seedling.elements.length === 0 || source.elements.length === 0) return;
  const element = chance.pick(seedling.elements);
  const { start, keyEnd, end } = chance.pick(source.elements);
  const type = source.bytes[start];
  const change = {
    at: element.keyEnd,
    removedCount: element.end - element.keyEnd,
    inserted: source.bytes.subarray(keyEnd, end),
  };
  if (replaceCounted(draft, element, change, chance)) draft.bytes[element.start] = type;
}

/**
 * Removes the terminator after a last element, and ends its value with a zero in its place.
 * @type {StructuralMutation}
 */
function removeEnd(draft, { elements, bytes }, chance) {
  const last = elements.filter(({ keyEnd, end }) => end > keyEnd && bytes[end] === 0);
  if (last.length === 0) return;
  const element = chance.pick(last);
  draft.bytes[element.end - 1] = 0;
  const removedCount = 1 + chance.below(2);
  replaceCounted(draft, element, { at: element.end, removedCount, inserted: NOTHING }, chance);
}

const MAX_FLOOD_OBJECTS = 1_500;

/**
 * An array of small objects, each with a key that no other document has.
 * @type {(draft: Draft, chance: FastChance) => Handling & { kind: string }}
 */
function flood(draft, chance) {
  const count = 1 + chance.below(MAX_FLOOD_OBJECTS);
  const object = Buffer.from('0300' + '0d000000' + '08' + '000000000000' + '01' + '00', 'hex');
  const head = Buffer.from('00000000' + '0400' + '00000000', 'hex');
  draft.load(head);
  for (let left = count; left > 0; left--) {
    for (let at = 7; at < 12; at++) object[at] = 0x61 + chance.below(26);
    draft.replace(draft.length, 0, object);
  }
  draft.replace(draft.length, 0, Buffer.alloc(2));
  draft.agree();
  draft.writeSize(6, draft.length - 7);
  return { readOptions: READ_OPTIONS[0], writeOptions: WRITE_OPTIONS[0], kind: 'flood' };
}

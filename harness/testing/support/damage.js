import { drawIndex } from '../../stats/random.js';
import { damageJson } from './damage-json.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/** Damages of one file; more than one can cancel each other's effect. */
const MOST_DAMAGES = 3;
const LONG_LENGTH = 100_000;
const DEEP_LEVELS = 20_000;

/** Bytes that no UTF-8 has: a lone continuation, an overlong slash, a surrogate, half a character. */
const NO_UTF8 = ['80', 'c0af', 'eda080', 'f09f98', 'ff'].map((hex) => Buffer.from(hex, 'hex'));

/** What stands in the place of a number. */
const NUMBERS =
  '-1 0 -0 1e999 -1e999 1e308 5e-324 NaN Infinity 9007199254740993 0x10 4294967296 .5 ""';
const ODD_NUMBERS = NUMBERS.split(' ');

/** @typedef {(bytes: Buffer, random: RandomGenerator) => Buffer} Damage */

/** @type {Damage[]} */
const DAMAGES = [
  flipBit,
  setByte,
  truncate,
  cutOut,
  duplicateRange,
  swapRanges,
  spliceNumber,
  insertNoUtf8,
  insertMuch,
];

/**
 * A damaged copy of a file, as a broken disk, a half-written file, an editor or somebody who means
 * harm might leave it. Equal random numbers give equal damage. Used by tests only.
 *
 * @param {Buffer} bytes are left as they are
 * @param {RandomGenerator} random
 * @returns {Buffer}
 */
export function damageBytes(bytes, random) {
  const isJsonLeft = drawIndex(random, 2) === 0;
  let damaged = bytes;
  for (let left = 1 + drawIndex(random, MOST_DAMAGES); left > 0; left--) {
    // What is no JSON any more is refused at once; the rest of a reader is behind that.
    const damage = isJsonLeft ? damageJson : pick(random, DAMAGES);
    damaged = damage(damaged, random);
  }
  return damaged;
}

/**
 * @template T
 * @param {RandomGenerator} random
 * @param {T[]} choices
 * @returns {T}
 */
function pick(random, choices) {
  return choices[drawIndex(random, choices.length)];
}

/**
 * @param {Buffer} bytes
 * @param {RandomGenerator} random
 * @returns {[number, number]} where a range begins and ends
 */
function drawRange({ length }, random) {
  const start = drawIndex(random, length + 1);
  const most = Math.min(length - start, 2 ** drawIndex(random, 14));
  return [start, start + drawIndex(random, most + 1)];
}

/** @type {Damage} */
function flipBit(bytes, random) {
  if (bytes.length === 0) return bytes;
  const damaged = Buffer.from(bytes);
  damaged[drawIndex(random, bytes.length)] ^= 1 << drawIndex(random, 8);
  return damaged;
}

/** @type {Damage} */
function setByte(bytes, random) {
  if (bytes.length === 0) return bytes;
  const damaged = Buffer.from(bytes);
  damaged[drawIndex(random, bytes.length)] = drawIndex(random, 256);
  return damaged;
}

/** @type {Damage} */
function truncate(bytes, random) {
  return bytes.subarray(0, drawIndex(random, bytes.length + 1));
}

/** @type {Damage} */
function cutOut(bytes, random) {
  const [start, end] = drawRange(bytes, random);
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
}

/** @type {Damage} */
function duplicateRange(bytes, random) {
  const [start, end] = drawRange(bytes, random);
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
}

/** @type {Damage} */
function swapRanges(bytes, random) {
  const [start, middle] = drawRange(bytes, random);
  const length = Math.min(middle - start, bytes.length - middle);
  const parts = [
    bytes.subarray(0, start),
    bytes.subarray(middle, middle + length),
    bytes.subarray(start, middle),
    bytes.subarray(middle + length),
  ];
  return Buffer.concat(parts);
}

/** @type {Damage} */
function spliceNumber(bytes, random) {
  // Latin-1 has a character for every byte, so nothing but the number changes.
  const text = bytes.toString('latin1');
  const numbers = [...text.matchAll(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)];
  if (numbers.length === 0) return bytes;
  const { index, 0: number } = pick(random, numbers);
  const odd = pick(random, ODD_NUMBERS);
  return Buffer.from(text.slice(0, index) + odd + text.slice(index + number.length), 'latin1');
}

/** @type {Damage} */
function insertNoUtf8(bytes, random) {
  return insert(bytes, pick(random, NO_UTF8), random);
}

/** @type {Damage} */
function insertMuch(bytes, random) {
  const much = pick(random, [
    '['.repeat(DEEP_LEVELS),
    '{"a":'.repeat(DEEP_LEVELS),
    'x'.repeat(LONG_LENGTH),
    '\0'.repeat(9),
  ]);
  return insert(bytes, Buffer.from(much), random);
}

/**
 * @param {Buffer} bytes
 * @param {Buffer} inserted
 * @param {RandomGenerator} random
 */
function insert(bytes, inserted, random) {
  const place = drawIndex(random, bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place)]);
}

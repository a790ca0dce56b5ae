import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

const TWO_TO_32 = 2 ** 32;
/** Similar seeds give similar first numbers, so these are discarded. */
const DISCARDED = 16;

/**
 * A generator for resampling and simulation; equal seeds give equal numbers.
 *
 * @param {number} seed a 32-bit integer
 * @returns {RandomGenerator}
 */
export function seedGenerator(seed) {
  const random = xoroshiro128plus(seed | 0);
  for (let count = 0; count < DISCARDED; count++) random.next();
  return random;
}

/**
 * @param {RandomGenerator} random advanced by the call
 * @returns {number} uniform in [0, 1), in steps of 2^-32
 */
export function drawUniform(random) {
  return (random.next() >>> 0) / TWO_TO_32;
}

/**
 * @param {RandomGenerator} random advanced by the call
 * @param {number} length at least 1
 * @returns {number} uniform integer in [0, length)
 */
export function drawIndex(random, length) {
  return uniformInt(random, 0, length - 1);
}

/**
 * An independent generator for every (seed, block, stream), so that an order does not depend on which
 * other cells are still measuring. The multipliers are odd constants of good spectral quality (Steele
 * and Vigna, "Computationally easy, spectrally good multipliers", 2021).
 * @type {(seed: number, block: number, stream: number) => RandomGenerator}
 */
export function generatorFor(seed, block, stream) {
  const mixed = Math.imul(seed, 0x2c9277b5) ^ Math.imul(block + 1, 0x5f356495);
  return xoroshiro128plus((mixed ^ Math.imul(stream + 1, 0x32c446bd)) | 0);
}

/**
 * A copy in random order (Fisher–Yates).
 *
 * @template T
 * @param {readonly T[]} items
 * @param {RandomGenerator} random advanced by the call
 * @returns {T[]}
 */
export function shuffle(items, random) {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = uniformInt(random, 0, last);
    [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
  }
  return shuffled;
}

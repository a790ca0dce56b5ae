import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

const TWO_TO_32 = 2 ** 32;
/** Neighbouring seeds start alike; after this many numbers nothing is left of that. */
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
 * A standard normal number (Box and Muller, 1958; the second of the pair is not kept).
 *
 * @param {RandomGenerator} random advanced by the call
 * @returns {number}
 */
export function drawNormal(random) {
  const radius = Math.sqrt(-2 * Math.log(1 - drawUniform(random)));
  return radius * Math.cos(2 * Math.PI * drawUniform(random));
}

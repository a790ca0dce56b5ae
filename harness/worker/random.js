import { randomBytes } from 'node:crypto';

/** @import { PickIndex } from '../formats/types.ts' */

// Taken before a variant is loaded, which could replace it.
const { floor } = Math;

/**
 * Random numbers, by sfc32 of PractRand.
 *
 * @param {number[]} seed four integers of 32 bits
 * @returns {PickIndex}
 */
export function openRandom(seed) {
  let [a, b, c, counter] = seed;
  return function pick(count) {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    return floor(((result >>> 0) / 2 ** 32) * count);
  };
}

const bytes = randomBytes(16);

/** Picks what a variant cannot predict; numbers of `Math.random` follow from each other. */
export const pickIndex = openRandom([0, 4, 8, 12].map((offset) => bytes.readInt32LE(offset)));

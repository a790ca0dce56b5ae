import { randomBytes } from 'node:crypto';

/** @import { PickIndex } from '../formats/types.ts' */

// Taken before a variant is loaded, which could replace it, and cannot know the numbers: those of `Math.random` follow
// from each other.
const seed = randomBytes(16);
const { floor } = Math;
const state = [0, 4, 8, 12].map((offset) => seed.readInt32LE(offset) | 1);

/** A random whole number below `count` that a variant cannot predict. Source: sfc32 of PractRand. @type {PickIndex} */
export function pickIndex(count) {
  const [a, b, c, counter] = state;
  const result = (a + b + counter) | 0;
  state[3] = (counter + 1) | 0;
  state[0] = b ^ (b >>> 9);
  state[1] = (c + (c << 3)) | 0;
  state[2] = (((c << 21) | (c >>> 11)) + result) | 0;
  return floor(((result >>> 0) / 2 ** 32) * count);
}

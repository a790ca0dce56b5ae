import { expect, test } from '@jest/globals';

import { drawNoise, NOISE_SHAPES } from './noise.js';
import { seedGenerator } from './random.js';

test.each(NOISE_SHAPES)('%s noise has mean 0 and standard deviation 1', (shape) => {
  const random = seedGenerator(6);
  const count = 200_000;
  let sum = 0;
  let squares = 0;
  for (let index = 0; index < count; index++) {
    const value = drawNoise(shape, random);
    sum += value;
    squares += value * value;
  }
  expect(Math.abs(sum / count)).toBeLessThan(0.01);
  // The squares of t3 have no variance of their own, so their mean converges slowly.
  expect(Math.abs(Math.sqrt(squares / count) - 1)).toBeLessThan(0.05);
});

import { expect, test } from '@jest/globals';

import { drawNormal, seedGenerator } from './random.js';
import { bootstrapGeometricMean } from './ratio-bootstrap.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/**
 * @param {RandomGenerator} random
 * @param {number} ratio
 * @param {number} processes
 */
function drawCell(random, ratio, processes) {
  /** @param {number} center */
  const drawArm = (center) =>
    Array.from({ length: processes }, () => center + 0.042 * drawNormal(random));
  return { baseline: drawArm(7), candidate: drawArm(7 + Math.log(ratio)) };
}

test('the interval covers the geometric mean about as often as it says', () => {
  const random = seedGenerator(12);
  const truth = Math.cbrt(1 * 1.1 * 0.8);
  const runs = 120;
  let covered = 0;
  for (let run = 0; run < runs; run++) {
    const cells = [1, 1.1, 0.8].map((ratio) => drawCell(random, ratio, 24));
    const { low, high } = bootstrapGeometricMean(cells, random);
    if (low <= truth && truth <= high) covered += 1;
  }
  // Three standard errors below 95 %.
  expect(covered / runs).toBeGreaterThan(0.89);
});

test('large arms are resampled at a bounded size with the width of the real one', () => {
  const random = seedGenerator(13);
  const width = (/** @type {number} */ processes) => {
    const { low, high } = bootstrapGeometricMean([drawCell(random, 1, processes)], random);
    return Math.log(high / low);
  };
  const ratio = width(400) / width(3600);
  expect(ratio).toBeGreaterThan(2.4);
  expect(ratio).toBeLessThan(3.6);
});

test('equal seeds give equal intervals', () => {
  const cells = [drawCell(seedGenerator(1), 1.05, 12)];
  const once = bootstrapGeometricMean(cells, seedGenerator(2));
  expect(bootstrapGeometricMean(cells, seedGenerator(2))).toEqual(once);
  expect(once.low).toBeLessThan(once.estimate);
  expect(once.high).toBeGreaterThan(once.estimate);
});

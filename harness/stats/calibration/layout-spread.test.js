import { describe, expect, test } from '@jest/globals';

import { drawNormal, seedGenerator } from '../random.js';
import { takeLayoutSpread } from './layout-spread.js';

/**
 * @param {number} layouts
 * @param {number} layoutDeviation
 * @param {import('pure-rand/types/RandomGenerator').RandomGenerator} random
 */
function drawLayouts(layouts, layoutDeviation, random) {
  return Array.from({ length: layouts }, () => {
    const own = layoutDeviation * drawNormal(random);
    return Array.from({ length: 12 }, () => 9 + own + 0.02 * drawNormal(random));
  });
}

describe('the spread between layouts', () => {
  test('is what was put in, the noise of processes taken out', () => {
    const found = takeLayoutSpread('deserialize deep', drawLayouts(200, 0.03, seedGenerator(1)));
    expect(found?.spread.estimate).toBeCloseTo(0.03, 2);
    expect(found?.processSpread).toBeCloseTo(0.02, 2);
    expect(found).toMatchObject({ cellId: 'deserialize deep', layouts: 200, processes: 12 });
  });

  test('lies in its interval in about 95 of 100 cases', () => {
    const random = seedGenerator(2);
    const experiments = 400;
    let held = 0;
    for (let index = 0; index < experiments; index++) {
      const found = takeLayoutSpread('a cell', drawLayouts(8, 0.03, random));
      if (found === null) throw new Error('eight layouts have a spread');
      if (found.spread.low <= 0.03 && 0.03 <= found.spread.high) held += 1 / experiments;
    }
    expect(held).toBeGreaterThan(0.92);
    expect(held).toBeLessThan(0.98);
  });

  test('begins at nothing where processes explain it', () => {
    const found = takeLayoutSpread('a cell', drawLayouts(10, 0, seedGenerator(3)));
    expect(found?.spread.low).toBe(0);
    expect(found?.spread.high).toBeLessThan(0.02);
  });
});

test('the range is the slowest layout over the fastest', () => {
  const found = takeLayoutSpread('a cell', [
    [0, 0],
    [0.1, 0.1],
    [0.05, 0.05],
  ]);
  expect(found?.range).toBeCloseTo(Math.exp(0.1), 10);
});

test('one layout has no spread, nor have layouts of one process', () => {
  expect(takeLayoutSpread('a cell', [[1, 2, 3]])).toBeNull();
  expect(takeLayoutSpread('a cell', [[1], [2], [3, 4]])).toBeNull();
});

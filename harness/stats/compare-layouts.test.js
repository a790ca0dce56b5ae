import { describe, expect, test } from '@jest/globals';
import { compareLayouts } from './compare-layouts.js';
import { drawNormal, seedGenerator } from './random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { LayoutComparison } from '../formats/types.ts' */

const ALPHA = 0.05;

/** @param {number[]} means each of a layout of four processes that agree */
function exactly(means) {
  return means.map((mean) => [mean, mean, mean, mean]);
}

/**
 * @param {RandomGenerator} random
 * @param {{ shift?: number, layoutSpread: number, processSpread: number }} truth log scale
 * @returns {number[][]} five layouts of twelve processes
 */
function drawSide(random, { shift = 0, layoutSpread, processSpread }) {
  return Array.from({ length: 5 }, () => {
    const place = shift + layoutSpread * drawNormal(random);
    return Array.from({ length: 12 }, () => place + processSpread * drawNormal(random));
  });
}

/**
 * @param {number} count
 * @param {{ shift?: number, layoutSpread: number, processSpread: number }} truth
 * @returns {LayoutComparison[]}
 */
function simulate(count, { shift = 0, ...truth }) {
  const random = seedGenerator(20250612);
  return Array.from({ length: count }, () => {
    const baseline = drawSide(random, truth);
    const candidate = drawSide(random, { ...truth, shift });
    return /** @type {LayoutComparison} */ (compareLayouts({ baseline, candidate }, ALPHA));
  });
}

/** @param {LayoutComparison} comparison */
function findsDirection({ ratio }) {
  return ratio.low > 1 || ratio.high < 1;
}

describe('layouts of both sides', () => {
  test("are compared by Welch's interval on their means", () => {
    const compared = compareLayouts(
      { baseline: exactly([0, 0.02, 0.04]), candidate: exactly([0.05, 0.06, 0.1, 0.11]) },
      ALPHA,
    );
    // Squared standard error 0.00035, 4.9925 degrees of freedom, t of 97.5 % by integration.
    expect(Math.log(compared?.ratio.estimate ?? NaN)).toBeCloseTo(0.06, 12);
    expect(Math.log(compared?.ratio.low ?? NaN)).toBeCloseTo(0.0118869, 6);
    expect(Math.log(compared?.ratio.high ?? NaN)).toBeCloseTo(0.1081131, 6);
    expect(compared).toMatchObject({ layouts: 3, processes: 4 });
    expect(compared?.deviations.baseline.map((share) => Math.log(share).toFixed(3))).toEqual([
      '-0.020',
      '0.000',
      '0.020',
    ]);
    // Processes that agree leave all of it to the layouts: variances 0.0004 and 0.000867.
    expect(compared?.spread).toBeCloseTo(Math.sqrt((0.0004 + 0.0026 / 3) / 2), 12);
  });

  test('give an interval of no width where nothing differs', () => {
    const same = exactly([0.1, 0.1]);
    const compared = compareLayouts({ baseline: same, candidate: same }, ALPHA);
    expect(compared?.ratio).toEqual({ estimate: 1, low: 1, high: 1 });
    expect(compared?.spread).toBe(0);
  });

  test('say nothing with fewer than two layouts of four processes a side', () => {
    const two = exactly([0, 0.1]);
    const short = [
      [0, 0, 0, 0],
      [0.1, 0.1, 0.1],
    ];
    expect(compareLayouts({ baseline: two, candidate: short }, ALPHA)).toBeNull();
    expect(compareLayouts({ baseline: [], candidate: two }, ALPHA)).toBeNull();
  });
});

describe('the error rate over layouts', () => {
  test('stays near 5 % where only code placement differs', () => {
    const truth = { layoutSpread: 0.03, processSpread: 0.02 };
    const found = simulate(800, truth).filter(findsDirection).length / 800;
    expect(found).toBeLessThan(0.07);
    expect(found).toBeGreaterThan(0.03);
  });

  test('is the same without any effect of placement', () => {
    const truth = { layoutSpread: 0, processSpread: 0.02 };
    const found = simulate(800, truth).filter(findsDirection).length / 800;
    expect(found).toBeLessThan(0.07);
  });

  test('a difference beyond placement is found', () => {
    const truth = { shift: -0.07, layoutSpread: 0.02, processSpread: 0.02 };
    const found = simulate(200, truth).filter(findsDirection).length / 200;
    expect(found).toBeGreaterThan(0.9);
  });

  test('the spread comes out as it is, the noise of processes taken out', () => {
    const truth = { layoutSpread: 0.03, processSpread: 0.04 };
    const squares = simulate(400, truth).map(({ spread }) => spread ** 2);
    const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length;
    expect(Math.sqrt(mean)).toBeGreaterThan(0.028);
    expect(Math.sqrt(mean)).toBeLessThan(0.032);
  });
});

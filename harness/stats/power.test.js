import { describe, expect, test } from '@jest/globals';
import { drawNormal } from '../testing/simulation/noise.js';
import { detectableEffect, processesNeeded } from './power.js';
import { seedGenerator } from './random.js';
import { compareTrimmedMeans } from './robust.js';

test('an effect of the detectable size is found in about four of five experiments', () => {
  const random = seedGenerator(8);
  const level = 0.01;
  const draw = (/** @type {number} */ center) =>
    Array.from({ length: 24 }, () => center + 0.04 * drawNormal(random));
  const experiments = 1500;
  let effect = 0;
  for (let index = 0; index < experiments; index++) {
    const test = compareTrimmedMeans(draw(0), draw(0));
    if (test !== null) effect += Math.log1p(detectableEffect(test, level)) / experiments;
  }
  let found = 0;
  for (let index = 0; index < experiments; index++) {
    const test = compareTrimmedMeans(draw(effect), draw(0));
    if (test !== null && test.p < level && test.difference > 0) found += 1 / experiments;
  }
  expect(found).toBeGreaterThan(0.76);
  expect(found).toBeLessThan(0.84);
});

describe('processes needed', () => {
  const seen = {
    difference: 0.02,
    standardError: 0.01,
    processes: 24,
    minimumEffect: 0.03,
    directionLevel: 0.05,
    intervalLevel: 0.05,
  };

  test('follows the square of noise over distance', () => {
    // (1.960 + 0.842)² · 24 · 0.01² / 0.02²
    expect(processesNeeded(seen)).toBe(48);
    expect(processesNeeded({ ...seen, standardError: 0.02 })).toBe(189);
  });

  test('uses the nearer of direction and equivalence', () => {
    // Equivalence: 0.03 − 0.005 to the bound.
    expect(processesNeeded({ ...seen, difference: 0.005 })).toBe(31);
    expect(processesNeeded({ ...seen, difference: -0.005 })).toBe(31);
  });

  test('is more than the present number', () => {
    expect(processesNeeded({ ...seen, difference: 0.9 })).toBe(25);
  });
});

import { describe, expect, test } from '@jest/globals';

import {
  betaQuantile,
  chiSquareQuantile,
  normalCritical,
  normalUpperTail,
  studentCritical,
  studentTwoSided,
} from './distributions.js';

/**
 * Whether a value agrees with a reference to a share of it: tails are about orders of magnitude.
 *
 * @param {number} value
 * @param {number} reference
 * @param {number} tolerance
 */
function expectRelative(value, reference, tolerance) {
  expect(Math.abs(value / reference - 1)).toBeLessThan(tolerance);
}

describe('references from SciPy 1.17.1', () => {
  test('Student, two-sided: 2 * t.sf(t, df)', () => {
    expectRelative(studentTwoSided(2.5, 7.3), 0.03965023466560043, 1e-6);
    expectRelative(studentTwoSided(-2.5, 7.3), 0.03965023466560043, 1e-6);
    expectRelative(studentTwoSided(30, 20), 4.1952253239996544e-18, 1e-6);
  });

  test('Student, critical value: t.isf(level / 2, df)', () => {
    expectRelative(studentCritical(0.005, 11.2), 3.4818189164062168, 1e-6);
  });

  test('normal tail: norm.sf(x)', () => {
    expectRelative(normalUpperTail(1.3), 0.09680048458561036, 1e-10);
    expectRelative(normalUpperTail(6), 9.865876450376946e-10, 1e-10);
  });

  test('normal critical value: norm.isf(level / 2)', () => {
    expectRelative(normalCritical(0.01), 2.575829303548901, 1e-10);
    expectRelative(normalCritical(1e-30), 11.523883577380248, 1e-10);
  });
});

test('the two forms of the normal tail are continuous', () => {
  expectRelative(normalUpperTail(2 - 1e-9), normalUpperTail(2), 1e-8);
});

test('a level of 1 is reached at zero', () => {
  expect(normalCritical(1)).toBe(0);
  expect(studentCritical(1, 9)).toBeCloseTo(0, 6);
});

describe('quantiles that have a closed form', () => {
  test('beta, with one shape of 1', () => {
    expectRelative(betaQuantile(0.025, 1, 200), 1 - 0.975 ** (1 / 200), 1e-6);
    expectRelative(betaQuantile(0.975, 40, 1), 0.975 ** (1 / 40), 1e-6);
  });

  test('chi-square with two degrees of freedom', () => {
    expectRelative(chiSquareQuantile(0.975, 2), -2 * Math.log(0.025), 1e-6);
    expectRelative(chiSquareQuantile(0.025, 2), -2 * Math.log(0.975), 1e-6);
  });
});

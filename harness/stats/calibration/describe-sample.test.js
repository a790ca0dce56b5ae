import { expect, test } from '@jest/globals';

import { compareTrimmedMeans } from '../yuen-test.js';
import { describeSample, poolVariances } from './describe-sample.js';

test("the squared error of a mean is the side's share in Yuen's test", () => {
  const one = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
  const two = [2, 7, 1, 8, 2, 8, 1];
  const [first, second] = [one, two].map(describeSample);
  const together = compareTrimmedMeans(one, two);
  expect((first?.squaredError ?? 0) + (second?.squaredError ?? 0)).toBeCloseTo(
    (together?.standardError ?? 0) ** 2,
    10,
  );
  expect((first?.mean ?? 0) - (second?.mean ?? 0)).toBeCloseTo(together?.difference ?? NaN, 10);
});

test('one value describes nothing', () => {
  expect(describeSample([7])).toBeNull();
});

test('a sample weighs by its degrees of freedom', () => {
  const common = { mean: 0, squaredError: 0 };
  const samples = [
    { ...common, deviation: 1, freedom: 1 },
    { ...common, deviation: 3, freedom: 3 },
  ];
  expect(poolVariances(samples)).toBe((1 + 27) / 4);
  expect(poolVariances([])).toBe(0);
});

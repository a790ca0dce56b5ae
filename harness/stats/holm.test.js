import { expect, test } from '@jest/globals';

import { adjustByHolm } from './holm.js';

test('the smallest p is multiplied by the number of tests, the next by one less', () => {
  const [third, first, second] = adjustByHolm([0.5, 0.01, 0.02]);
  expect(first).toBeCloseTo(0.03, 12);
  expect(second).toBeCloseTo(0.04, 12);
  expect(third).toBeCloseTo(0.5, 12);
});

test('adjusted values never fall below those of smaller p, nor exceed 1', () => {
  expect(adjustByHolm([0.02, 0.021])).toEqual([0.04, 0.04]);
  expect(adjustByHolm([0.7, 0.9])).toEqual([1, 1]);
});

test('no tests, no values', () => {
  expect(adjustByHolm([])).toEqual([]);
});

import { expect, test } from '@jest/globals';

import { takeMedian } from './median.js';

test('the middle one of an odd number, the mean of the middle two of an even one', () => {
  expect(takeMedian([3, 1, 20])).toBe(3);
  expect(takeMedian([4, 1, 20, 2])).toBe(3);
});

test('numbers are ordered as numbers, and the input stays as it is', () => {
  const values = [10, 9, 100];
  expect(takeMedian(values)).toBe(10);
  expect(values).toEqual([10, 9, 100]);
});

test('of nothing there is none', () => {
  expect(takeMedian([])).toBeNaN();
});

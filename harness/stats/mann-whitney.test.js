import { expect, test } from '@jest/globals';

import { mannWhitneyP } from './mann-whitney.js';

// References: scipy.stats.mannwhitneyu(first, second, method='asymptotic'), SciPy 1.17.1.
test('without ties', () => {
  const first = [44.9, 46.2, 41.0, 43.3, 47.8, 45.1, 44.0, 58.3, 42.7, 45.6, 43.9, 46.4];
  const second = [41.2, 43.8, 40.1, 42.6, 39.7, 44.4, 41.9, 40.8, 43.1, 52.0, 38.6];
  expect(mannWhitneyP(first, second)).toBeCloseTo(0.010644786560634337, 12);
  expect(mannWhitneyP(second, first)).toBeCloseTo(0.010644786560634337, 12);
});

test('with ties', () => {
  const first = [1, 2, 2, 3, 3, 3, 4, 7];
  const second = [2, 3, 3, 4, 5, 5, 6, 6, 8];
  expect(mannWhitneyP(first, second)).toBeCloseTo(0.09619644437480915, 12);
});

test('nothing to rank: equal values give 1, an empty side gives null', () => {
  expect(mannWhitneyP([3, 3], [3, 3])).toBe(1);
  expect(mannWhitneyP([], [1])).toBeNull();
});

import { expect, test } from '@jest/globals';

import { fitTrend } from './means.js';

test('agrees with slope and p of scipy.stats.linregress', () => {
  const points = [1.0, 1.2, 0.9, 1.5, 1.4, 1.8].map((y, x) => ({ x, y }));
  const trend = fitTrend(points);
  expect(trend?.slope).toBeCloseTo(0.14857142857142858, 12);
  expect(trend?.p).toBeCloseTo(0.04064208872049838, 7);
});

test('too few points, or all at one time, have no trend', () => {
  expect(fitTrend([1, 2, 3].map((x) => ({ x, y: x })))).toBeNull();
  expect(fitTrend([1, 2, 3, 4].map((y) => ({ x: 5, y })))).toBeNull();
});

test('a constant has a slope of zero and a p of 1', () => {
  expect(fitTrend([1, 2, 3, 4].map((x) => ({ x, y: 7 })))).toEqual({ slope: 0, p: 1 });
});

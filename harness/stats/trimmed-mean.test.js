import { expect, test } from '@jest/globals';

import { drawNormal, seedGenerator } from './random.js';
import { meanOfTrimmed, robustDeviation, winsorizedVariance } from './trimmed-mean.js';

const SORTED = [41, 42.7, 43.3, 43.9, 44, 44.9, 45.1, 45.6, 46.2, 46.4, 47.8, 58.3];

test('scipy.stats.trim_mean(x, .2) is met', () => {
  expect(meanOfTrimmed(SORTED)).toBeCloseTo(44.925, 12);
});

test('numpy.var of scipy.stats.mstats.winsorize(x, (.2, .2)) is met', () => {
  expect(winsorizedVariance(SORTED)).toBeCloseTo(1.6781818181818209, 12);
});

test('below five values nothing is cut', () => {
  expect(meanOfTrimmed([1, 2, 3, 10])).toBe(4);
  expect(winsorizedVariance([1, 2, 3, 10])).toBeCloseTo(50 / 3, 12);
});

test('the robust deviation equals the ordinary one for normal values, and ignores outliers', () => {
  const random = seedGenerator(1);
  const values = Float64Array.from({ length: 20_000 }, () => 3 * drawNormal(random)).sort();
  expect(robustDeviation(values)).toBeCloseTo(3, 1);
  values.fill(1e9, 19_000);
  expect(robustDeviation(values)).toBeLessThan(3.5);
});

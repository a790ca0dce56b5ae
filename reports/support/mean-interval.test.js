import { expect, test } from '@jest/globals';
import { compareTrimmedMeans, halfWidth } from '../../harness/stats/robust.js';
import { intervalOfMean } from './mean-interval.js';

const TIMES = [100, 103, 98, 101, 180, 99, 102, 97, 100, 104];

test('the interval is the part of one side in the test that makes the verdict', () => {
  const logs = TIMES.map(Math.log);
  // Two sides alike have twice the variance and twice the degrees of freedom of one.
  const both = compareTrimmedMeans(logs, logs);
  const one = {
    .../** @type {NonNullable<typeof both>} */ (both),
    standardError: (both?.standardError ?? NaN) / Math.SQRT2,
    degreesOfFreedom: (both?.degreesOfFreedom ?? NaN) / 2,
  };
  const interval = intervalOfMean(TIMES, 0.05);
  const half = Math.log((interval?.high ?? NaN) / (interval?.estimate ?? NaN));
  expect(half).toBeCloseTo(halfWidth(one, 0.05), 12);
  expect(interval?.estimate).toBeCloseTo(100.8, 0);
});

test('one process has no interval', () => {
  expect(intervalOfMean([100], 0.05)).toBeNull();
});

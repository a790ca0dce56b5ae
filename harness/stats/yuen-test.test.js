import { describe, expect, test } from '@jest/globals';

import { compareTrimmedMeans, halfWidth } from './yuen-test.js';

const FIRST = [44.9, 46.2, 41.0, 43.3, 47.8, 45.1, 44.0, 58.3, 42.7, 45.6, 43.9, 46.4];
const SECOND = [41.2, 43.8, 40.1, 42.6, 39.7, 44.4, 41.9, 40.8, 43.1, 52.0, 38.6];

/**
 * Made with SciPy 1.17.1:
 * `r = scipy.stats.ttest_ind(first, second, trim=.2, equal_var=False)` gives t, p and df,
 * `r.confidence_interval(level)` the interval.
 */
const REFERENCES = [
  {
    name: '12 against 11 values',
    sizes: [12, 11],
    t: 3.1497569517530604,
    p: 0.008715852285748348,
    df: 11.585083465694582,
    at95: [0.915415758776545, 5.077441384080588],
    at99: [0.07153253629045775, 5.921324606566675],
  },
  {
    name: '4 against 5 values, of which one side is trimmed',
    sizes: [4, 5],
    t: 1.6818468166171783,
    p: 0.15414822555359317,
    df: 4.939023720003437,
    at95: [-1.362008782917362, 6.4620087829173425],
    at99: [-3.602523996122848, 8.702523996122828],
  },
  {
    name: '3 against 3 values, Welch without trimming',
    sizes: [3, 3],
    t: 1.2222530175967634,
    p: 0.2958118112855099,
    df: 3.586313844463502,
    at95: [-3.217074705372082, 7.883741372038753],
    at99: [-7.188451935371443, 11.855118602038115],
  },
];

describe.each(REFERENCES)('reference: $name', ({ sizes, t, p, df, at95, at99 }) => {
  const result = compareTrimmedMeans(FIRST.slice(0, sizes[0]), SECOND.slice(0, sizes[1]));

  test('t, p and degrees of freedom', () => {
    expect(result?.t).toBeCloseTo(t, 10);
    expect(result?.p).toBeCloseTo(p, 7);
    expect(result?.degreesOfFreedom).toBeCloseTo(df, 10);
  });

  test('intervals', () => {
    if (result === null) throw new Error('no result');
    for (const [level, [low, high]] of /** @type {[number, number[]][]} */ ([
      [0.05, at95],
      [0.01, at99],
    ])) {
      const half = halfWidth(result, level);
      expect(result.difference - half).toBeCloseTo(low, 5);
      expect(result.difference + half).toBeCloseTo(high, 5);
    }
  });
});

test('swapping the sides turns the sign and nothing else', () => {
  const one = compareTrimmedMeans(FIRST, SECOND);
  const other = compareTrimmedMeans(SECOND, FIRST);
  expect(other?.difference).toBeCloseTo(-(one?.difference ?? 0), 12);
  expect(other?.p).toBe(one?.p);
});

test('fewer than two values a side give no result', () => {
  expect(compareTrimmedMeans([1], [1, 2, 3])).toBeNull();
  expect(compareTrimmedMeans([], [])).toBeNull();
});

test('values without spread are either equal or different, without an interval around', () => {
  const equal = compareTrimmedMeans([2, 2, 2], [2, 2]);
  const different = compareTrimmedMeans([2, 2, 2], [3, 3]);
  expect(equal).toMatchObject({ difference: 0, p: 1 });
  expect(different).toMatchObject({ difference: -1, p: 0 });
  expect(different && halfWidth(different, 0.05)).toBe(0);
});

import { NOISE_SHAPES, drawNoise, drawNormal } from '../studies/simulation/noise.js';
import { seedGenerator } from './random.js';
import {
  compareCautiously,
  compareTrimmedMeans,
  detectableEffect,
  findTwoClusters,
  intervalAround,
  mannWhitneyP,
  meanOfTrimmed,
  processesNeeded,
  robustDeviation,
  takeMedian,
  winsorizedVariance,
} from './robust.js';

const SORTED = [41, 42.7, 43.3, 43.9, 44, 44.9, 45.1, 45.6, 46.2, 46.4, 47.8, 58.3];

test('trimmed mean and winsorized variance agree with SciPy', () => {
  // scipy.stats.trim_mean(x, .2), and numpy.var of scipy.stats.mstats.winsorize(x, (.2, .2))
  expect(meanOfTrimmed(SORTED)).toBeCloseTo(44.925, 12);
  expect(winsorizedVariance(SORTED)).toBeCloseTo(1.6781818181818209, 12);
});

test('samples below five values are not trimmed', () => {
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
    name: '4 against 5 values, of which one sample is trimmed',
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
    for (const { level, at } of [
      { level: 0.05, at: at95 },
      { level: 0.01, at: at99 },
    ]) {
      const { low, high } = intervalAround(result, level);
      expect(low).toBeCloseTo(at[0], 5);
      expect(high).toBeCloseTo(at[1], 5);
    }
  });
});

test('swapping the samples changes only the sign', () => {
  const one = compareTrimmedMeans(FIRST, SECOND);
  const other = compareTrimmedMeans(SECOND, FIRST);
  expect(other?.difference).toBeCloseTo(-(one?.difference ?? 0), 12);
  expect(other?.p).toBe(one?.p);
});

test('fewer than two values in a sample give no result', () => {
  expect(compareTrimmedMeans([1], [1, 2, 3])).toBeNull();
  expect(compareTrimmedMeans([], [])).toBeNull();
});

describe('a cautious comparison', () => {
  // Two of ten are cut at each end: all slow values of the first, but not of the second.
  const few = [1, 1.01, 0.99, 1.02, 0.98, 1.01, 1, 0.99, 1.5, 1.52];
  const more = [1, 1.01, 0.99, 1.02, 0.98, 1.01, 1.51, 1.49, 1.5, 1.52];

  test('has no less error where one sample trims all of its slow values', () => {
    const [plain, cautious] = [compareTrimmedMeans(few, more), compareCautiously(few, more)];
    expect(cautious?.difference).toBe(plain?.difference);
    expect(cautious?.standardError).toBeGreaterThan(1.1 * Number(plain?.standardError));
    expect(cautious?.p).toBeGreaterThan(Number(plain?.p));
    expect(compareCautiously(more, few)?.standardError).toBeCloseTo(
      Number(cautious?.standardError),
      12,
    );
  });

  test('adds the variance of other sources', () => {
    const [alone, together] = [0, 0.04].map((more) => compareCautiously(FIRST, SECOND, more));
    expect(Number(together?.standardError) ** 2).toBeCloseTo(
      Number(alone?.standardError) ** 2 + 0.04,
      10,
    );
  });
});

test('values without spread are equal or different, with an interval of no width', () => {
  const equal = compareTrimmedMeans([2, 2, 2], [2, 2]);
  const different = compareTrimmedMeans([2, 2, 2], [3, 3]);
  expect(equal).toMatchObject({ difference: 0, p: 1 });
  expect(different).toMatchObject({ difference: -1, p: 0 });
  expect(different && intervalAround(different, 0.05)).toEqual({ estimate: -1, low: -1, high: -1 });
});

// References: scipy.stats.mannwhitneyu(first, second, method='asymptotic'), SciPy 1.17.1.
test.each([
  ['without ties', FIRST, SECOND, 0.010644786560634337],
  ['with ties', [1, 2, 2, 3, 3, 3, 4, 7], [2, 3, 3, 4, 5, 5, 6, 6, 8], 0.09619644437480915],
  ['of equal values', [3, 3], [3, 3], 1],
])('the Mann–Whitney test %s agrees with SciPy', (_, first, second, p) => {
  expect(mannWhitneyP(first, second)).toBeCloseTo(p, 12);
  expect(mannWhitneyP(second, first)).toBeCloseTo(p, 12);
});

test('the Mann–Whitney test of an empty sample is null', () => {
  expect(mannWhitneyP([], [1])).toBeNull();
});

test('the median is the middle value, or the mean of the middle two', () => {
  const values = [10, 9, 100];
  expect(takeMedian(values)).toBe(10);
  expect(values).toEqual([10, 9, 100]);
  expect(takeMedian([4, 1, 20, 2])).toBe(3);
  expect(takeMedian([])).toBeNaN();
});

test('two optimisation paths 8 % apart are recognised', () => {
  const random = seedGenerator(3);
  const values = Float64Array.from(
    { length: 48 },
    (_, index) => (index % 3 === 0 ? 0.08 : 0) + 0.01 * drawNoise('normal', random),
  ).sort();
  const found = findTwoClusters(values);
  expect(found?.gap).toBeCloseTo(0.08, 2);
  expect(found?.smallerShare).toBeCloseTo(1 / 3, 2);
});

test.each(NOISE_SHAPES)('%s noise of one group rarely looks like two', (shape) => {
  const random = seedGenerator(4);
  let found = 0;
  for (let sample = 0; sample < 1000; sample++) {
    const values = Float64Array.from({ length: 24 }, () => drawNoise(shape, random)).sort();
    if (findTwoClusters(values) !== null) found += 1;
  }
  expect(found).toBeLessThan(20);
});

test('a single outlier and a small sample are not groups', () => {
  expect(findTwoClusters([...Array(30).fill(1), 9])).toBeNull();
  expect(findTwoClusters([1, 1, 1, 2, 2, 2])).toBeNull();
});

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

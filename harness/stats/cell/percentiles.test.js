import { comparePercentiles, describeMedian } from './percentiles.js';

/** @param {object} measurement @returns {any} a job */
const jobOf = (measurement) => ({ done: { measurement } });

const calls = (/** @type {number} */ p50Ns, /** @type {object} */ more = {}) =>
  jobOf({ calls: { timings: 10, documents: 2, p50Ns, maxNs: 9 * p50Ns, ...more } });

describe('describeMedian', () => {
  // From exact sums of binomial coefficients.
  test.each([
    [5, null],
    [6, { low: 1, high: 6 }],
    [8, { low: 1, high: 8 }],
    [9, { low: 2, high: 8 }],
    [20, { low: 6, high: 15 }],
    [96, { low: 38, high: 59 }],
    [2000, { low: 956, high: 1045 }],
  ])('of %i values the interval is %j', (count, interval) => {
    const values = Array.from({ length: count }, (_, index) => count - index);
    expect(describeMedian(values)).toEqual({ ns: (count + 1) / 2, interval });
  });
});

describe('comparePercentiles', () => {
  test('the control counts for the baseline; a process without figures does not count', () => {
    const arms = {
      baseline: [calls(1), calls(2), { done: null }, jobOf({})],
      control: [calls(3)],
      candidate: [calls(5)],
    };
    const [only, ...others] = comparePercentiles(/** @type {any} */ ({ arms }), {});
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      of: 'calls',
      baseline: { processes: 3, count: 30, documents: 2, p50: { ns: 2 }, max: { ns: 18 } },
      candidate: { processes: 1, p50: { ns: 5, interval: null }, p99: null },
    });
  });

  test('there is a 99th percentile where half of the processes have one', () => {
    const arms = {
      baseline: [calls(1, { p99Ns: 4 }), calls(1)],
      control: [],
      candidate: [calls(1, { p99Ns: 4 }), calls(1), calls(1)],
    };
    expect(comparePercentiles(/** @type {any} */ ({ arms }), {})).toMatchObject([
      { baseline: { p99: { ns: 4 } }, candidate: { p99: null } },
    ]);
  });

  test('pauses are of processes that had any; a ranking has no baseline', () => {
    const paused = jobOf({ pauses: { pauses: 4, p50Ns: 7, maxNs: 8 } });
    const arms = {
      baseline: [],
      control: [],
      candidate: [paused, jobOf({ pauses: { pauses: 0 } })],
    };
    expect(comparePercentiles(/** @type {any} */ ({ arms }), { rank: true })).toEqual([
      {
        of: 'pauses',
        candidate: {
          ...{ processes: 1, count: 4, p50: { ns: 7, interval: null } },
          ...{ p99: null, max: { ns: 8, interval: null } },
        },
      },
    ]);
    expect(comparePercentiles(/** @type {any} */ ({ arms }), {})).toMatchObject([
      { baseline: null, candidate: { count: 4 } },
    ]);
  });
});

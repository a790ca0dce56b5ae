import { judgeMemoryMetrics } from './rule.js';

/** @import { MetricDraft } from './rule.js' */

const QUESTION = { alpha: 0.02, minimumEffect: 0.03 };

/**
 * @param {number[]} baseline
 * @param {number[]} candidate
 * @param {{ control?: number[], deterministic?: boolean, unit?: MetricDraft['unit'] }} [rest]
 * @returns {MetricDraft}
 */
function draft(baseline, candidate, rest = {}) {
  const { control = baseline, deterministic = false, unit = 'bytes' } = rest;
  return { name: 'retained', unit, samples: { baseline, candidate, control }, deterministic };
}

/** @type {(...args: Parameters<typeof draft>) => ReturnType<typeof judgeMemoryMetrics>[0]} */
function judge(...args) {
  return judgeMemoryMetrics([draft(...args)], QUESTION)[0];
}

/** @type {(value: number, count?: number) => number[]} */
const repeat = (value, count = 6) => Array(count).fill(value);

describe('a count that repeats to the byte', () => {
  /** @type {(baseline: number, candidate: number, control?: number) => ReturnType<typeof judge>} */
  const judgeCount = (baseline, candidate, control = baseline) =>
    judge(repeat(baseline, 3), repeat(candidate, 3), {
      control: repeat(control, 3),
      deterministic: true,
    });

  test('has an interval without width', () => {
    const metric = judgeCount(144, 56);
    expect(metric).toMatchObject({ verdict: 'smaller', strong: true, exact: true });
    expect(metric.values).toEqual({ baseline: 144, candidate: 56, control: 144 });
    expect(metric.ratio?.estimate).toBeCloseTo(56 / 144, 12);
    expect(metric.ratio?.low).toBe(metric.ratio?.high);
    expect(metric.control?.estimate).toBeCloseTo(1, 12);
  });

  test('is equivalent within the minimum effect', () => {
    expect(judgeCount(100, 102).verdict).toBe('equivalent');
    expect(judgeCount(100, 104).verdict).toBe('larger');
  });

  test('has a verdict among any number of figures', () => {
    const count = draft(repeat(144, 3), repeat(56, 3), { deterministic: true });
    const metrics = judgeMemoryMetrics(Array(200).fill(count), QUESTION);
    expect(metrics.every(({ verdict }) => verdict === 'smaller')).toBe(true);
  });

  test.each([1, 2])('has no verdict with %i processes', (count) => {
    const metric = judge(repeat(144, count), repeat(56, count), { deterministic: true });
    expect(metric).toMatchObject({ verdict: 'inconclusive', strong: false });
  });
});

describe('a count that does not repeat', () => {
  test.each([
    ['in the baseline', [144, 144, 145, 144], repeat(56, 4), repeat(144, 4)],
    ['in the candidate', repeat(144, 4), [56, 56, 57, 56], repeat(144, 4)],
    ['in the control', repeat(144, 4), repeat(56, 4), repeat(145, 4)],
  ])('%s is judged like any figure', (_, baseline, candidate, control) => {
    const counted = draft(baseline, candidate, { control, deterministic: true });
    const [metric] = judgeMemoryMetrics([counted], QUESTION);
    expect(metric).toMatchObject({ verdict: 'smaller', exact: false });
    expect(metric.ratio?.low).toBeLessThan(metric.ratio?.high ?? 0);
    const [measured] = judgeMemoryMetrics([{ ...counted, deterministic: false }], QUESTION);
    expect(metric).toEqual(measured);
  });
});

describe('a figure with chance', () => {
  const baseline = [1000, 1001, 999, 1000.5, 999.5, 1000];
  test.each([
    ['smaller', [900, 901, 899, 900, 900.5, 899.5]],
    ['larger', [1100, 1101, 1099, 1100, 1100.5, 1099.5]],
    ['equivalent', [1001, 1000, 1000.5, 999, 1000, 1000]],
    ['inconclusive', [900, 1100, 1000, 1300, 950, 1050]],
  ])('is %s', (word, candidate) => {
    expect(judge(baseline, candidate).verdict).toBe(word);
  });

  test('is compared with baseline and control together', () => {
    const metric = judge(repeat(100), repeat(110), { control: repeat(102) });
    expect(metric.ratio?.estimate).toBeCloseTo(110 / Math.sqrt(100 * 102), 12);
    expect(metric.values.baseline).toBeCloseTo(Math.sqrt(100 * 102), 9);
  });

  test('is untrusted when the control could explain the difference', () => {
    const metric = judge(baseline, [...repeat(1100, 5), 1101], { control: repeat(1060) });
    expect(metric).toMatchObject({ verdict: 'untrusted', strong: false });
  });

  test('has no verdict with two processes', () => {
    const metric = judge([1000, 1001], [500, 501]);
    expect(metric).toMatchObject({ verdict: 'inconclusive', ratio: null });
  });

  test('that takes one of two values has no direction by one process', () => {
    const metric = judge([...repeat(1000, 5), 1040], [...repeat(1040, 5), 1000]);
    expect(metric).toMatchObject({ strong: false, exact: false });
    expect(metric.ratio?.low).toBeLessThan(metric.ratio?.high ?? 0);
    const odd = judge(repeat(1000), [...repeat(1000, 5), 1040]);
    expect(odd.verdict).toBe('equivalent');
    expect(odd.ratio?.low).toBeLessThan(odd.ratio?.high ?? 0);
  });

  test('is adjusted for the number of figures with chance', () => {
    const three = draft([100, 101, 99], [150, 151, 149]);
    const exact = draft(repeat(10, 3), repeat(20, 3), { deterministic: true });
    const [alone] = judgeMemoryMetrics([three, exact, exact], QUESTION);
    expect(alone.verdict).toBe('larger');
    const [one, two] = judgeMemoryMetrics([three, three], QUESTION);
    expect([one.verdict, two.verdict]).toEqual(['inconclusive', 'inconclusive']);
  });

  test('of six processes has a verdict among 300 figures', () => {
    const others = Array(299).fill(draft([100, 101, 99], [100, 99, 101]));
    const figures = [draft([...repeat(100, 5), 101], repeat(150)), ...others];
    const [metric] = judgeMemoryMetrics(figures, QUESTION);
    expect(metric.verdict).toBe('larger');
  });
});

describe('zeros', () => {
  test('are equivalent where all arms are zero', () => {
    expect(judge([0, 0, 0], [0.2, -0.1, 0.3])).toMatchObject({
      verdict: 'equivalent',
      ratio: null,
    });
  });

  test('are smaller or larger than other figures, without a ratio', () => {
    expect(judge(repeat(32), repeat(0))).toMatchObject({ verdict: 'smaller', ratio: null });
    expect(judge(repeat(0), repeat(32))).toMatchObject({ verdict: 'larger', ratio: null });
  });

  test('in a few processes count with all other figures', () => {
    const three = draft([0, 0, 0], [32, 32, 33]);
    expect(judgeMemoryMetrics([three], QUESTION)[0].verdict).toBe('larger');
    const two = judgeMemoryMetrics([three, three], QUESTION);
    expect(two.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
  });

  test.each([
    ['the control', repeat(0), repeat(1), repeat(9)],
    ['one process of the control', repeat(0), repeat(32), [...repeat(0, 5), 32]],
    ['one process of the candidate', repeat(0), [...repeat(32, 5), 0], repeat(0)],
  ])('against others are inconclusive where %s differs', (_, baseline, candidate, control) => {
    expect(judge(baseline, candidate, { control }).verdict).toBe('inconclusive');
  });

  test('are judged in their own unit', () => {
    const collections = judge(repeat(0.3), repeat(0.1), { unit: 'collections' });
    expect(collections).toMatchObject({ verdict: 'smaller', strong: true });
  });

  test('that were never measured have no values', () => {
    expect(judge([], [])).toMatchObject({
      verdict: 'inconclusive',
      ratio: null,
      values: { baseline: null, candidate: null, control: null },
    });
  });
});

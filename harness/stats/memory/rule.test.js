import { describe, expect, test } from '@jest/globals';
import { judgeMemoryMetrics } from './rule.js';

/** @import { MetricDraft } from './rule.js' */

const QUESTION = { alpha: 0.05, minimumEffect: 0.03 };

/**
 * @param {number[]} baseline
 * @param {number[]} candidate
 * @param {{ control?: number[], deterministic?: boolean, unit?: MetricDraft['unit'] }} [rest]
 */
function judge(baseline, candidate, rest = {}) {
  const { control = baseline, deterministic = false, unit = 'bytes' } = rest;
  const samples = { baseline, candidate, control };
  const [metric] = judgeMemoryMetrics(
    [{ name: 'retained', unit, samples, deterministic }],
    QUESTION,
  );
  return metric;
}

describe('a figure that repeats to the byte', () => {
  test('has an interval without width', () => {
    const metric = judge([144, 144], [56, 56], { deterministic: true });
    expect(metric).toMatchObject({ verdict: 'smaller', strong: true, exact: true });
    expect(metric.values).toEqual({ baseline: 144, candidate: 56, control: 144 });
    expect(metric.ratio?.estimate).toBeCloseTo(56 / 144, 12);
    expect(metric.ratio?.low).toBe(metric.ratio?.high);
    expect(metric.control).toEqual({ estimate: 1, low: 1, high: 1 });
  });

  test('is equivalent within the minimum effect', () => {
    expect(judge([100, 100], [102, 102], { deterministic: true }).verdict).toBe('equivalent');
    expect(judge([100, 100], [104, 104], { deterministic: true }).verdict).toBe('larger');
  });

  test('is untrusted when the control differs', () => {
    const metric = judge([100, 100], [110, 110], { control: [108, 108], deterministic: true });
    expect(metric).toMatchObject({ verdict: 'untrusted', strong: false });
  });

  test('that did not repeat has the observed range as its interval', () => {
    const metric = judge([100, 102], [80, 81], { deterministic: true });
    expect(metric.exact).toBe(false);
    expect(metric.ratio?.low).toBeCloseTo(80 / 102, 12);
    expect(metric.ratio?.high).toBeCloseTo(81 / 100, 12);
    expect(metric.verdict).toBe('smaller');
  });
});

describe('a figure with spread', () => {
  const baseline = [1000, 1001, 999, 1000.5];
  test.each([
    ['smaller', [900, 901, 899, 900]],
    ['larger', [1100, 1101, 1099, 1100]],
    ['equivalent', [1001, 1000, 1000.5, 999]],
    ['inconclusive', [900, 1100, 1000, 1300]],
  ])('is %s', (word, candidate) => {
    expect(judge(baseline, candidate).verdict).toBe(word);
  });

  test('has no verdict with two processes', () => {
    expect(judge([1000, 1001], [500, 501]).verdict).toBe('inconclusive');
  });

  test('is adjusted for the number of figures', () => {
    const samples = {
      baseline: [100, 104, 98, 101],
      candidate: [110, 116, 106, 111],
      control: [100, 104, 98, 101],
    };
    /** @type {MetricDraft} */
    const draft = { name: 'retained', unit: 'bytes', samples, deterministic: false };
    expect(judgeMemoryMetrics([draft], QUESTION)[0].verdict).toBe('larger');
    const many = judgeMemoryMetrics(Array(30).fill(draft), QUESTION);
    expect(many.every(({ verdict }) => verdict === 'inconclusive')).toBe(true);
  });
});

describe('zeros', () => {
  test('are equivalent where both arms are zero', () => {
    expect(judge([0, 0, 0], [0.2, -0.1, 0.3])).toMatchObject({
      verdict: 'equivalent',
      ratio: null,
    });
  });

  test('are smaller or larger than other figures, without a ratio', () => {
    expect(judge([32, 32, 33], [0, 0, 0])).toMatchObject({ verdict: 'smaller', ratio: null });
    expect(judge([0, 0, 0], [32, 32, 33])).toMatchObject({ verdict: 'larger', ratio: null });
  });

  test('in some processes are inconclusive', () => {
    expect(judge([32, 0, 33], [0, 0, 0]).verdict).toBe('inconclusive');
  });

  test('are judged in their own unit', () => {
    const collections = judge([0.3, 0.3, 0.3], [0.1, 0.1, 0.1], { unit: 'collections' });
    expect(collections.verdict).toBe('smaller');
  });

  test('that were never measured have no values', () => {
    expect(judge([], [])).toMatchObject({
      verdict: 'inconclusive',
      ratio: null,
      values: { baseline: null, candidate: null, control: null },
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import { drawRange, drawTicks, makeAxis } from './range-plot.js';

/**
 * @param {number} low
 * @param {number} estimate
 * @param {number} high
 */
function interval(low, estimate, high) {
  return { low, estimate, high };
}

describe('drawRange', () => {
  const axis = makeAxis([interval(0.4, 0.5, 0.6), interval(1.2, 1.3, 1.4)], 0.03, 41);

  test('draws the interval and the marks at 1 and at the minimum effect', () => {
    const drawn = drawRange(axis, { range: interval(0.4, 0.5, 0.6) });
    expect(drawn).toBe(' ├──────●────┤              ┊│┊          ');
  });

  test('draws the marks alone where figures are missing', () => {
    expect(drawRange(axis, { range: undefined }).trim()).toBe('┊│┊');
    expect(drawRange(axis, { range: interval(NaN, 1, 2) }).trim()).toBe('┊│┊');
  });

  test('an interval without 1 leaves the mark at 1 alone, however coarse the axis', () => {
    const coarse = makeAxis([interval(0.001, 0.002, 0.003)], 0.03, 20);
    for (const near of [interval(0.97, 0.99, 0.999), interval(1.001, 1.01, 1.02)]) {
      expect(drawRange(coarse, { range: near })).toContain('│');
    }
    expect(drawRange(coarse, { range: interval(0.999, 1.01, 1.02) })).not.toContain('│');
  });

  test('bounds without measure become arrows and do not spoil the axis for others', () => {
    const wild = interval(1e-300, 1.1, Number.MAX_VALUE);
    const shared = makeAxis([wild, interval(0.9, 0.95, 1)], 0.03, 41);
    expect(shared.high).toBeLessThan(20);
    expect(drawRange(shared, { range: wild })).toMatch(/^◂─+●─+▸$/);
  });
});

describe('drawTicks', () => {
  test.each([
    ['a factor of two', interval(0.4, 0.42, 0.44), ['0.4', '0.6', '0.8', '1']],
    ['a hundredfold', interval(90, 100, 110), ['1', '10', '100']],
    ['a percent', interval(0.995, 1, 1.005), ['0.98', '1', '1.02']],
  ])('labels %s with round ratios', (_, one, labels) => {
    const ticks = drawTicks(makeAxis([one], 0.03, 36))
      .trim()
      .split(/\s+/);
    expect(ticks).toEqual(expect.arrayContaining(labels));
  });

  test.each([16, 25, 36, 60])('labels stand above their ratios in %i columns', (width) => {
    const axis = makeAxis([interval(0.2, 0.4, 0.9), interval(2, 3, 4)], 0.03, width);
    const line = drawTicks(axis);
    expect(line).toHaveLength(width);
    const labels = [...line.matchAll(/\S+/g)];
    expect(labels.map(([label]) => label)).toContain('1');
    for (const { 0: label, index } of labels) {
      const column = drawRange(axis, {
        range: interval(Number(label), Number(label), Number(label)),
      }).indexOf('●');
      expect(column).toBeGreaterThanOrEqual(index);
      expect(column).toBeLessThan(index + label.length);
    }
  });
});

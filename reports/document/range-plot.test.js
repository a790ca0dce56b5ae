import { drawRange, drawTicks, logTicks, makeAxis, placeRatioTicks } from './range-plot.js';

/** @param {number} low @param {number} estimate @param {number} high */
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

test('a log axis has ticks at 1, 2 and 5 of every decade', () => {
  expect(logTicks(0.15, 30)).toEqual([0.2, 0.5, 1, 2, 5, 10, 20]);
  expect(logTicks(3, 4)).toEqual([]);
});

test.each([
  [0.9, 1.12, 5, [0.9, 0.95, 1, 1.05, 1.1]],
  [0.5, 40, 4, [1, 3, 10, 30]],
  [0.01, 100, 5, [0.01, 0.1, 1, 10, 100]],
])('an axis of ratios from %d to %d has at most %d ticks, 1 among them', (low, high, most, all) => {
  const placed = placeRatioTicks({ low, high }, (ticks) => (ticks.length > most ? null : ticks));
  expect(placed).toContain(1);
  expect(placed.length).toBeLessThanOrEqual(most);
  expect(all).toEqual(expect.arrayContaining(placed));
});

test('without room for more an axis of ratios has a tick at 1', () => {
  const placed = placeRatioTicks({ low: 0.5, high: 2 }, (ticks) =>
    ticks.length > 1 ? null : ticks,
  );
  expect(placed).toEqual([1]);
});

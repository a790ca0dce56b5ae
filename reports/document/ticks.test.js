import { expect, test } from '@jest/globals';
import { logTicks, placeRatioTicks } from './ticks.js';

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

import { equivalenceBand, locateInterval, processesToLeaveEdge, restrictBand } from './band.js';

test('the band of a difference starts at the minimum effect', () => {
  const band = { low: 0.8, high: 1.2 };
  expect(restrictBand(band, 'slower', 0.03)).toEqual({ low: 1.03, high: 1.2 });
  expect(restrictBand(band, 'faster', 0.03)).toEqual({ low: 0.8, high: 1 / 1.03 });
  expect(restrictBand(band, 'same', 0.03)).toEqual(band);
  expect(restrictBand({ low: 0, high: null }, 'slower', 0.03)).toEqual({ low: 1.03, high: null });
  expect(restrictBand({ low: 1.2, high: 1.4 }, 'slower', 0.03)).toEqual({ low: 1.2, high: 1.4 });
});

test.each([
  [1.05, 1.15, 'inside'],
  [1.15, 1.25, 'across'],
  [0.9, 1.3, 'across'],
  [1.21, 1.3, 'outside'],
  [0.9, 1.02, 'outside'],
])('an interval from %d to %d is %s of 1.03 to 1.2', (low, high, place) => {
  expect(locateInterval({ low, high }, { low: 1.03, high: 1.2 })).toBe(place);
});

test('a band without limits contains every interval', () => {
  const band = { low: 0, high: null };
  expect(locateInterval({ low: 1e-6, high: 1e6 }, band)).toBe('inside');
});

test('four times the processes halve the interval', () => {
  const band = equivalenceBand(0.1);
  const estimate = 1.1 / Math.sqrt(1.1);
  const interval = { estimate, low: estimate / 1.0999, high: estimate * 1.0999 };
  expect(processesToLeaveEdge(interval, band, 12)).toBe(48);
  expect(processesToLeaveEdge({ ...interval, estimate: 1.1 }, band, 12)).toBeNull();
});

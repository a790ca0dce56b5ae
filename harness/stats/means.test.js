import { divideRatios, findExpectedRatio, fitTrend } from './means.js';

/** @import { ReportedFigure } from '../formats/types.ts' */

test('a trend agrees with slope and p of scipy.stats.linregress', () => {
  const points = [1.0, 1.2, 0.9, 1.5, 1.4, 1.8].map((y, x) => ({ x, y }));
  const trend = fitTrend(points);
  expect(trend?.slope).toBeCloseTo(0.14857142857142858, 12);
  expect(trend?.p).toBeCloseTo(0.04064208872049838, 7);
});

test('the error of a ratio of two ratios is that of both, each side on its own', () => {
  const known = { estimate: 2, low: 2, high: 2 };
  const ratio = { estimate: 1.5, low: 1.2, high: 1.6 };
  const over = divideRatios(ratio, known);
  expect([over.low, over.estimate, over.high].map((each) => 2 * each)).toEqual([
    expect.closeTo(1.2, 12),
    expect.closeTo(1.5, 12),
    expect.closeTo(1.6, 12),
  ]);
  const under = divideRatios(known, ratio);
  expect([under.low, under.estimate, under.high].map((each) => 2 / each)).toEqual([
    expect.closeTo(1.6, 12),
    expect.closeTo(1.5, 12),
    expect.closeTo(1.2, 12),
  ]);
  const even = { estimate: 1, low: 1 / 1.1, high: 1.1 };
  expect(divideRatios(even, even).high).toBeCloseTo(1.1 ** Math.SQRT2, 12);
});

test('too few points, or all at one time, have no trend', () => {
  expect(fitTrend([1, 2, 3].map((x) => ({ x, y: x })))).toBeNull();
  expect(fitTrend([1, 2, 3, 4].map((y) => ({ x: 5, y })))).toBeNull();
});

test('a constant has a slope of zero and a p of 1', () => {
  expect(fitTrend([1, 2, 3, 4].map((x) => ({ x, y: 7 })))).toEqual({ slope: 0, p: 1 });
});

/** @type {[ReportedFigure, number | null][]} */
const CASES = [
  [{ formula: 'throughput-percent', percent: -54 }, 1 / 0.46],
  [{ formula: 'throughput-percent', percent: 100 }, 0.5],
  [{ formula: 'time-percent', percent: 25 }, 1.25],
  [{ formula: 'throughput-pair', baseline: 216, candidate: 99, unit: 'normalized' }, 216 / 99],
  [{ formula: 'retained-bytes', of: 'ObjectId', baseline: 128, candidate: 72 }, 0.5625],
  [{ formula: 'direction', direction: 'slower' }, null],
  [{ formula: 'same-output' }, null],
];

test.each(CASES)('the ratio that %j means', (figure, ratio) => {
  if (ratio === null) expect(findExpectedRatio(figure)).toBeNull();
  else expect(findExpectedRatio(figure)).toBeCloseTo(ratio, 9);
});

test('the symmetric formula is that of the source: 206.76 to 81.28 MB/s is -87 %', () => {
  const percent = (100 * (81.28 - 206.76)) / ((81.28 + 206.76) / 2);
  expect(percent).toBeCloseTo(-87.1, 1);
  expect(findExpectedRatio({ formula: 'symmetric-percent', percent })).toBeCloseTo(206.76 / 81.28);
});

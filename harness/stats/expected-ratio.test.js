import { expect, test } from '@jest/globals';
import { findExpectedRatio } from './expected-ratio.js';

/** @import { ReportedFigure } from '../formats/types.ts' */

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

test.each(CASES)('%j', (figure, ratio) => {
  if (ratio === null) expect(findExpectedRatio(figure)).toBeNull();
  else expect(findExpectedRatio(figure)).toBeCloseTo(ratio, 9);
});

test('the symmetric formula is that of the source: 206.76 to 81.28 MB/s is -87 %', () => {
  const percent = (100 * (81.28 - 206.76)) / ((81.28 + 206.76) / 2);
  expect(percent).toBeCloseTo(-87.1, 1);
  expect(findExpectedRatio({ formula: 'symmetric-percent', percent })).toBeCloseTo(206.76 / 81.28);
});

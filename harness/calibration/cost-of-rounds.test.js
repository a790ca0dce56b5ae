import { expect, test } from '@jest/globals';
import { describeCost, describePlain, takeCosts } from './cost-of-rounds.js';

const CALM_NS = 60_000;
const SURE = { ns: 1000, squaredError: 0 };

/**
 * A process that ran three sides in turns; during `disturbed` batches everything took 1.5 times as long.
 *
 * @param {number[]} disturbed
 */
function alternate(disturbed) {
  const ns = [1000, 1010, 1100];
  const factorOf = (/** @type {number} */ batch) => (disturbed.includes(batch) ? 1.5 : 1);
  const batchNsPerDocument = Array.from({ length: 30 }, (_, i) => ns[i % 3] * factorOf(i));
  const yardstickNs = Array.from({ length: 31 }, (_, i) => CALM_NS * factorOf(i));
  return { batchNsPerDocument, yardstickNs };
}

test('a cost is the difference to the side before it in the same turn', () => {
  expect(takeCosts([alternate([])], 3)).toEqual([[10, 100]]);
});

test('turns during which the processor was slow do not count', () => {
  const disturbed = Array.from({ length: 15 }, (_, index) => index);
  const [[small, large]] = takeCosts([alternate(disturbed)], 3);
  expect(small).toBeCloseTo(10, 9);
  expect(large).toBeCloseTo(100, 9);
});

test('where no turn was calm all of them count', () => {
  const all = Array.from({ length: 30 }, (_, index) => index).filter((index) => index % 2 === 0);
  expect(takeCosts([alternate(all)], 3)[0].every(Number.isFinite)).toBe(true);
});

test('the ratio holds what processes said, with an interval around it', () => {
  const { estimate, low, high } = describeCost([9, 10, 11, 10], SURE);
  expect(estimate).toBeCloseTo(1.01, 9);
  // Student's quantile with 3 degrees of freedom is 3.182, the error of the mean 0.408.
  expect(high - estimate).toBeCloseTo((3.182 * 0.408) / 1000, 5);
  expect(estimate - low).toBeCloseTo(high - estimate, 12);
  expect(describeCost([10], SURE)).toEqual({ estimate: 1.01, low: 1.01, high: 1.01 });
});

test('what is not known of the baseline widens the interval of a large cost', () => {
  const unsure = { ns: 1000, squaredError: 0.01 ** 2 };
  const { estimate, low, high } = describeCost([99, 101, 100, 100], unsure);
  expect(estimate).toBeCloseTo(1.1, 9);
  expect(high - estimate).toBeCloseTo(3.182 * Math.hypot(0.408, 1) * 1e-3, 5);
  expect(estimate - low).toBeCloseTo(high - estimate, 12);
});

test('the baseline is the trimmed mean of ordinary processes, with its error', () => {
  const { ns, squaredError } = describePlain([990, 1000, 1010, 1000, 3000]);
  expect(ns).toBeGreaterThan(995);
  expect(ns).toBeLessThan(1010);
  expect(squaredError).toBeGreaterThan(0);
  expect(describePlain([1000])).toEqual({ ns: 1000, squaredError: 0 });
});

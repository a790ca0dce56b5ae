import { expect, test } from '@jest/globals';
import { fitHeldSlope } from './memory-samples.js';

/**
 * @param {number} documents
 * @param {number} heapUsedBytes
 * @param {number} externalBytes
 */
function point(documents, heapUsedBytes, externalBytes) {
  return { documents, heapUsedBytes, externalBytes, arrayBufferBytes: externalBytes, rssBytes: 0 };
}

test('the slope is what one document more holds, array buffers counted once', () => {
  const points = [1, 2, 3, 4].map((n) => point(n * 1000, 5e6 + n * 700_000, 2e6 + n * 32_000));
  const { bytesPerDocument, residualShare } = fitHeldSlope(points);
  expect(bytesPerDocument).toBeCloseTo(732, 9);
  expect(residualShare).toBeCloseTo(0, 9);
});

test('a bent line shows in its residual', () => {
  const points = [point(1000, 100_000, 0), point(2000, 200_000, 0), point(3000, 500_000, 0)];
  expect(fitHeldSlope(points).residualShare).toBeGreaterThan(0.1);
});

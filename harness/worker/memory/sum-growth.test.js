import { expect, test } from '@jest/globals';
import { sumGrowth } from './sum-growth.js';

/**
 * @param {number} before
 * @param {number} after
 */
function collection(before, after) {
  const side = (/** @type {number} */ bytes) => ({
    heapStatistics: { usedHeapSize: bytes, externalMemory: 0 },
  });
  return { beforeGC: side(before), afterGC: side(after) };
}

test('growth without a collection is the difference', () => {
  expect(sumGrowth([], 'usedHeapSize', 100, 350)).toBe(250);
});

test('what collections took away counts as allocated all the same', () => {
  const collections = [collection(400, 150), collection(500, 120)];
  expect(sumGrowth(collections, 'usedHeapSize', 100, 220)).toBe(300 + 350 + 100);
});

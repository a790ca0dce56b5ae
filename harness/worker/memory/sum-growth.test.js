import { sumGrowth } from './sum-growth.js';

/** @param {number} before @param {number} after */
function collection(before, after) {
  const statistics = (/** @type {number} */ bytes) => ({
    heapStatistics: { usedHeapSize: bytes, externalMemory: 0 },
  });
  return { beforeGC: statistics(before), afterGC: statistics(after) };
}

test('growth without a collection is the difference', () => {
  expect(sumGrowth([], 'usedHeapSize', 100, 350)).toBe(250);
});

test('collected bytes count as allocated', () => {
  const collections = [collection(400, 150), collection(500, 120)];
  expect(sumGrowth(collections, 'usedHeapSize', 100, 220)).toBe(300 + 350 + 100);
});

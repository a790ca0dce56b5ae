/**
 * The used part of a collection of `v8.GCProfiler`.
 *
 * @typedef {object} CollectionRecord
 * @property {{ heapStatistics: { usedHeapSize: number, externalMemory: number } }} beforeGC
 * @property {{ heapStatistics: { usedHeapSize: number, externalMemory: number } }} afterGC
 */

/**
 * Bytes allocated during work with collections: the growth up to the first collection, between
 * collections, and after the last.
 *
 * @param {CollectionRecord[]} collections in order
 * @param {'usedHeapSize' | 'externalMemory'} figure
 * @param {number} before bytes at the start
 * @param {number} after bytes at the end
 * @returns {number}
 */
export function sumGrowth(collections, figure, before, after) {
  let grown = 0;
  let from = before;
  for (const { beforeGC, afterGC } of collections) {
    grown += beforeGC.heapStatistics[figure] - from;
    from = afterGC.heapStatistics[figure];
  }
  return grown + after - from;
}

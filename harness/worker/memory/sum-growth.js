/**
 * What `v8.GCProfiler` says of one collection, as far as it is used here.
 *
 * @typedef {object} CollectionRecord
 * @property {{ heapStatistics: { usedHeapSize: number, externalMemory: number } }} beforeGC
 * @property {{ heapStatistics: { usedHeapSize: number, externalMemory: number } }} afterGC
 */

/**
 * Bytes allocated over a stretch of work in which collections took some away: the growth up to the
 * first collection, from each to the next, and after the last.
 *
 * @param {CollectionRecord[]} collections in order
 * @param {'usedHeapSize' | 'externalMemory'} figure
 * @param {number} before bytes at the beginning
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

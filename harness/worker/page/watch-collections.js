/** Replaces `harness/worker/watch-collections.js` in a page: the trace of the browser has the collections. */

import { askLater } from './ask.js';
import { TRACE_MARK } from './trace-mark.js';

/** @import { Exercise } from '../../formats/types.ts' */

/** @typedef {{ startTime: number, duration: number, kind: string }} Collection */

/**
 * @returns {{ between(startMs: number, endMs: number): Promise<Collection[]>, end(): void }} as in Node
 */
export function watchCollections() {
  // Relates the clock of the trace to that of the page.
  performance.mark(TRACE_MARK);
  return {
    async between(startMs, endMs) {
      /** @type {Collection[]} */
      const entries = await askLater('collections');
      return entries.filter(({ startTime }) => startTime >= startMs && startTime < endMs);
    },
    end() {},
  };
}

/**
 * @param {Collection[]} collected
 * @returns {Exercise['collections']} number and pauses, by kind of collection
 */
export function sumCollections(collected) {
  /** @type {Exercise['collections']} */
  const kinds = {};
  for (const { duration, kind } of collected) {
    const sums = (kinds[kind] ??= { count: 0, ms: 0 });
    sums.count++;
    sums.ms += duration;
  }
  return kinds;
}

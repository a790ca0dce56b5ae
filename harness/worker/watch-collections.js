import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { unbind } from './bound.js';

/** @import { Exercise } from '../formats/types.ts' */

const KIND_NAMES = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'scavenge'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'mark-compact'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak-callbacks'],
]);

// Taken before a variant is loaded, which could replace them.
const takeRecords = unbind(PerformanceObserver.prototype.takeRecords);
const getEntries = unbind(globalThis.PerformanceObserverEntryList?.prototype.getEntries);

/**
 * A garbage collection as Node reports it.
 *
 * @typedef {import('node:perf_hooks').PerformanceEntry & { detail?: unknown }} Collection
 */

/**
 * Observes the garbage collections of this process.
 *
 * @returns {{ between(startMs: number, endMs: number): Promise<Collection[]>, end(): void } | null} `between`: those
 *   that started in [startMs, endMs); null under a runtime that does not report them
 */
export function watchCollections() {
  const { supportedEntryTypes } = /** @type {{ supportedEntryTypes?: readonly string[] }} */ (
    PerformanceObserver
  );
  if (supportedEntryTypes?.includes('gc') !== true) return null;
  /** @type {Collection[]} */
  const entries = [];
  /** @param {Collection[]} more */
  function keep(more) {
    // Without methods of arrays, which a variant could replace.
    for (let index = 0; index < more.length; index++) entries[entries.length] = more[index];
  }
  const observer = new PerformanceObserver(function keepEntries(list) {
    keep(getEntries(list));
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    async between(startMs, endMs) {
      // They are delivered when the event loop turns.
      await nextTurn();
      await nextTurn();
      keep(takeRecords(observer));
      /** @type {Collection[]} */
      const found = [];
      for (let index = 0; index < entries.length; index++) {
        const { startTime } = entries[index];
        if (startTime >= startMs && startTime < endMs) found[found.length] = entries[index];
      }
      return found;
    },
    end: () => observer.disconnect(),
  };
}

/**
 * @param {Collection[]} collected
 * @returns {Exercise['collections']} number and pauses, by kind of collection
 */
export function sumCollections(collected) {
  /** @type {Exercise['collections']} */
  const kinds = {};
  for (const { duration, detail } of collected) {
    const { kind } = /** @type {{ kind: number }} */ (detail);
    const sums = (kinds[KIND_NAMES.get(kind) ?? 'other'] ??= { count: 0, ms: 0 });
    sums.count++;
    sums.ms += duration;
  }
  return kinds;
}

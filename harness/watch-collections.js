/**
 * A garbage collection as Node reports it.
 *
 * @typedef {import('node:perf_hooks').PerformanceEntry & { detail?: unknown }} Collection
 */

/**
 * Watches the garbage collections of this process. They reach the observer only when the event loop
 * turns, so let it turn before asking for them.
 *
 * @returns {{ between(startMs: number, endMs: number): Collection[], end(): void }} `between`: those
 *   that began from the one moment on and before the other
 */
export function watchCollections() {
  /** @type {Collection[]} */
  const entries = [];
  const observer = new PerformanceObserver(function keepEntries(list) {
    entries.push(...list.getEntries());
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    between(startMs, endMs) {
      entries.push(...observer.takeRecords());
      return entries.filter(({ startTime }) => startTime >= startMs && startTime < endMs);
    },
    end: () => observer.disconnect(),
  };
}

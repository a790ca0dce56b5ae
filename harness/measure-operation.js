import { closeSync, openSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** @import { MeasureSettings, Measurement, Operation } from './types.ts' */

/** Warm-up goes in chunks of this length, whose times show whether the code has settled. */
const CHUNK_MS = 8;

/** Settled: the last chunk is within this share of the one two before it. */
const SETTLED_SHARE = 0.05;

/**
 * Times an operation: warm-up until the code has settled, then a few batches with nothing in between.
 * Runs in a worker of its own.
 *
 * @param {Operation} operation
 * @param {unknown} state what the operation prepared
 * @param {number} documents in the corpus, so in one pass
 * @param {MeasureSettings} settings
 * @returns {Promise<Measurement>}
 */
export async function measureOperation(operation, state, documents, settings) {
  const autogroupRaised = raiseAutogroup();
  const collections = watchCollections();
  const warmUp = warmUpOperation(operation, state, documents, settings);
  const passes = Math.max(1, Math.round(settings.batchMs / warmUp.passMs));

  /** @type {number[]} */
  const batchMs = new Array(settings.batchCount).fill(0);
  const usageBefore = process.resourceUsage();
  const startMs = performance.now();
  for (let batch = 0; batch < settings.batchCount; batch++) {
    const batchStartMs = performance.now();
    operation.run(state, passes);
    batchMs[batch] = performance.now() - batchStartMs;
  }
  const endMs = performance.now();
  const usageAfter = process.resourceUsage();

  const documentsPerBatch = passes * documents;
  return {
    batchNsPerDocument: batchMs.map((ms) => (ms * 1e6) / documentsPerBatch),
    documentsPerBatch,
    warmUp: { ms: warmUp.ms, calls: warmUp.calls, settled: warmUp.settled },
    cpuUserMs: (usageAfter.userCPUTime - usageBefore.userCPUTime) / 1e3,
    cpuSystemMs: (usageAfter.systemCPUTime - usageBefore.systemCPUTime) / 1e3,
    wallMs: endMs - startMs,
    ...(await collections.between(startMs, endMs)),
    voluntaryContextSwitches:
      usageAfter.voluntaryContextSwitches - usageBefore.voluntaryContextSwitches,
    involuntaryContextSwitches:
      usageAfter.involuntaryContextSwitches - usageBefore.involuntaryContextSwitches,
    autogroupRaised,
  };
}

/**
 * @param {Operation} operation
 * @param {unknown} state
 * @param {number} documents
 * @param {MeasureSettings} settings
 * @returns {{ ms: number, calls: number, settled: boolean, passMs: number }} `passMs`: time of one
 *   pass over the corpus at the end of the warm-up
 */
function warmUpOperation(operation, state, documents, settings) {
  const startMs = performance.now();
  const chunkPassMs = [];
  let passes = 1;
  let calls = 0;
  for (;;) {
    const chunkStartMs = performance.now();
    operation.run(state, passes);
    const nowMs = performance.now();
    calls += passes * documents;
    const passMs = Math.max((nowMs - chunkStartMs) / passes, 1e-6);
    chunkPassMs.push(passMs);
    passes = Math.min(Math.max(1, Math.round(CHUNK_MS / passMs)), passes * 8);

    const elapsedMs = nowMs - startMs;
    const settled = hasSettled(chunkPassMs);
    const enough = elapsedMs >= settings.warmUpMs && calls >= settings.warmUpCalls;
    if ((enough && settled) || elapsedMs >= settings.maxWarmUpMs) {
      return { ms: elapsedMs, calls, settled, passMs };
    }
  }
}

/**
 * @param {number[]} chunkPassMs
 * @returns {boolean}
 */
function hasSettled(chunkPassMs) {
  if (chunkPassMs.length < 4) return false;
  const last = chunkPassMs[chunkPassMs.length - 1];
  const earlier = chunkPassMs[chunkPassMs.length - 3];
  return Math.abs(last - earlier) <= SETTLED_SHARE * earlier;
}

/**
 * Counts garbage collections. The entries reach the observer only when the event loop turns, which
 * it does after the last batch.
 */
function watchCollections() {
  /** @type {import('node:perf_hooks').PerformanceEntry[]} */
  const entries = [];
  const observer = new PerformanceObserver(function keepEntries(list) {
    entries.push(...list.getEntries());
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    /**
     * @param {number} startMs
     * @param {number} endMs
     */
    async between(startMs, endMs) {
      await nextTurn();
      await nextTurn();
      entries.push(...observer.takeRecords());
      observer.disconnect();
      const within = entries.filter((e) => e.startTime >= startMs && e.startTime < endMs);
      const gcMs = within.reduce((sum, entry) => sum + entry.duration, 0);
      return { gcCount: within.length, gcMs };
    },
  };
}

/**
 * Asks Linux to weigh the session of this worker more than others (root only; the harness starts
 * each worker in a session of its own). Under load this steadies wall time; without permission
 * nothing changes.
 *
 * @returns {boolean} whether it was granted
 */
function raiseAutogroup() {
  try {
    const file = openSync('/proc/self/autogroup', 'w');
    try {
      writeSync(file, '-20');
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    return false;
  }
}

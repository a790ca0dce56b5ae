import v8 from 'node:v8';
import { sumGrowth } from './sum-growth.js';
import { runUntilHot } from '../run-until-hot.js';

/** @import { AllocationResult, Operation } from '../../formats/types.ts' */

/** Target bytes of a short window; a long one allocates twice as many. The new space of the worker
 * (`harness/run/jobs.js`) is several times larger. */
const WINDOW_BYTES = 16 * 2 ** 20;
const PAIRS = 5;

/**
 * Measurements of one window.
 *
 * @typedef {{ heapBytes: number, offHeapBytes: number, collections: number }} Window
 */

/**
 * Bytes that an operation allocates per document, from pairs of windows of one and two lengths: the
 * difference is free of the cost of observation. Needs a new space large enough that no collection falls
 * into a window.
 *
 * @param {Operation} operation
 * @param {unknown} state prepared by the operation
 * @param {number} documents in the corpus, and so in one pass
 * @returns {Promise<AllocationResult>}
 */
export async function recordAllocation(operation, state, documents) {
  await runUntilHot(operation, state, documents);
  const passes = await choosePasses(operation, state);
  /** @type {Record<'clean' | 'bridged', [Window, Window][]>} */
  const pairs = { clean: [], bridged: [] };
  let collectedWindows = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    emptyNewSpace();
    const short = await watchWindow(operation, state, passes);
    const long = await watchWindow(operation, state, 2 * passes);
    const collected = [short, long].filter(({ collections }) => collections > 0).length;
    collectedWindows += collected;
    pairs[collected === 0 ? 'clean' : 'bridged'].push([short, long]);
  }
  const bridged = pairs.clean.length === 0;
  const used = bridged ? pairs.bridged : pairs.clean;
  const documentsPerWindow = passes * documents;
  const offHeapBytes = used.reduce((sum, [, long]) => sum + long.offHeapBytes, 0);
  return {
    kind: 'allocation',
    windowHeapBytes: used.map(
      ([short, long]) => (long.heapBytes - short.heapBytes) / documentsPerWindow,
    ),
    offHeapBytes: Math.max(0, offHeapBytes / (used.length * 2 * documentsPerWindow)),
    documentsPerWindow,
    collectedWindows,
    bridged,
  };
}

/**
 * @param {Operation} operation
 * @param {unknown} state
 * @returns {Promise<number>} passes over the corpus that allocate about `WINDOW_BYTES`
 */
async function choosePasses(operation, state) {
  emptyNewSpace();
  let passes = 1;
  for (;;) {
    const { heapBytes, offHeapBytes } = await watchWindow(operation, state, passes);
    const bytes = Math.max(heapBytes + offHeapBytes, 1);
    const wanted = Math.floor((passes * WINDOW_BYTES) / bytes);
    // Few passes allocate too little to distinguish from the cost of observation, so repeat with more.
    if (bytes > WINDOW_BYTES / 8 || passes >= 1e6) return Math.min(Math.max(1, wanted), 1e6);
    passes = Math.min(passes * 8, Math.max(wanted, passes * 2), 1e6);
  }
}

/** Minor collections empty the new space and keep optimised code. */
function emptyNewSpace() {
  const collect = /** @type {(options: { type: 'minor' }) => void} */ (globalThis.gc);
  // The first moves survivors within the new space, the second out of it.
  collect({ type: 'minor' });
  collect({ type: 'minor' });
}

/** @type {(operation: Operation, state: unknown, passes: number) => Promise<Window>} */
async function watchWindow(operation, state, passes) {
  const profiler = new v8.GCProfiler();
  profiler.start();
  const before = process.memoryUsage();
  await operation.run(state, passes);
  const after = process.memoryUsage();
  const { statistics } = profiler.stop();
  return {
    heapBytes: sumGrowth(statistics, 'usedHeapSize', before.heapUsed, after.heapUsed),
    offHeapBytes: sumGrowth(statistics, 'externalMemory', before.external, after.external),
    collections: statistics.length,
  };
}

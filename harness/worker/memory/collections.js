import { setImmediate as nextTurn } from 'node:timers/promises';
import v8 from 'node:v8';
import { sumCollections, watchCollections } from '../watch-collections.js';
import { runUntilHot } from '../run-until-hot.js';
import { sumGrowth } from './sum-growth.js';

/** @import { CollectionsResult, Operation } from '../../formats/types.ts' */

/** Work between two looks at the collections. */
const STRETCH_MS = 50;
/** Runs until both are reached, … */
const MIN_WALL_MS = 300;
const MIN_COLLECTIONS = 20;
/** … or this. */
const MAX_WALL_MS = 2_000;

/**
 * Counts and times the garbage collections of an operation under default flags.
 *
 * @param {Operation} operation
 * @param {unknown} state prepared by the operation
 * @param {number} documents in the corpus, so in one pass
 * @returns {Promise<CollectionsResult>}
 */
export async function recordCollections(operation, state, documents) {
  const { passMs } = await runUntilHot(operation, state, documents);
  const passes = Math.max(1, Math.round(STRETCH_MS / passMs));
  const watch = /** @type {NonNullable<ReturnType<typeof watchCollections>>} */ (
    watchCollections()
  );
  await nextTurn();
  const watchStartMs = performance.now();
  let wallMs = 0;
  let stretches = 0;
  while (!isEnough(wallMs, (await watch.between(watchStartMs, Infinity)).length)) {
    const startMs = performance.now();
    await operation.run(state, passes);
    wallMs += performance.now() - startMs;
    stretches++;
  }
  const collected = await watch.between(watchStartMs, Infinity);
  watch.end();
  return {
    kind: 'collections',
    documents: stretches * passes * documents,
    wallMs,
    collections: sumCollections(collected),
    allocatedBytes: (await accountAllocation(operation, state, passes)) / (passes * documents),
  };
}

/**
 * @param {number} wallMs
 * @param {number} collectionCount so far
 * @returns {boolean}
 */
function isEnough(wallMs, collectionCount) {
  if (wallMs >= MAX_WALL_MS) return true;
  return wallMs >= MIN_WALL_MS && collectionCount >= MIN_COLLECTIONS;
}

/**
 * Bytes allocated on the heap over some passes, from the heap statistics around each collection. Separate
 * from the timed work, since collecting them takes time.
 * @type {(operation: Operation, state: unknown, passes: number) => Promise<number>}
 */
async function accountAllocation(operation, state, passes) {
  const profiler = new v8.GCProfiler();
  profiler.start();
  const before = process.memoryUsage().heapUsed;
  await operation.run(state, 2 * passes);
  const after = process.memoryUsage().heapUsed;
  const { statistics } = profiler.stop();
  return sumGrowth(statistics, 'usedHeapSize', before, after) / 2;
}

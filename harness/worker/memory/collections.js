import { setImmediate as nextTurn } from 'node:timers/promises';
import v8 from 'node:v8';
import { sumCollections, watchCollections } from '../watch-collections.js';
import { runUntilHot } from '../run-until-hot.js';
import { sumGrowth } from './sum-growth.js';

/** @import { CollectionsResult, Operation } from '../../formats/types.ts' */

/** A stretch of work after which the event loop turns, so that collections are reported. */
const STRETCH_MS = 50;
/** Work goes on until both are reached, … */
const MIN_WALL_MS = 300;
const MIN_COLLECTIONS = 20;
/** … or this is. */
const MAX_WALL_MS = 2_000;

/**
 * Garbage collections of an operation and their time, under the flags that users run it with.
 *
 * @param {Operation} operation
 * @param {unknown} state what the operation prepared
 * @param {number} documents in the corpus, so in one pass
 * @returns {Promise<CollectionsResult>}
 */
export async function recordCollections(operation, state, documents) {
  const { passMs } = runUntilHot(operation, state, documents);
  const passes = Math.max(1, Math.round(STRETCH_MS / passMs));
  const watch = watchCollections();
  await nextTurn();
  const watchStartMs = performance.now();
  let wallMs = 0;
  let stretches = 0;
  while (!isEnough(wallMs, watch.between(watchStartMs, Infinity).length)) {
    const startMs = performance.now();
    operation.run(state, passes);
    wallMs += performance.now() - startMs;
    stretches++;
    await nextTurn();
    await nextTurn();
  }
  const collected = watch.between(watchStartMs, Infinity);
  watch.end();
  return {
    kind: 'collections',
    documents: stretches * passes * documents,
    wallMs,
    collections: sumCollections(collected),
    allocatedBytes: accountAllocation(operation, state, passes) / (passes * documents),
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
 * Bytes allocated on the heap over some passes, by what the collector says before and after each
 * collection. It is a stretch of its own, since taking those notes costs time.
 *
 * @param {Operation} operation
 * @param {unknown} state
 * @param {number} passes
 * @returns {number}
 */
function accountAllocation(operation, state, passes) {
  const profiler = new v8.GCProfiler();
  profiler.start();
  const before = process.memoryUsage().heapUsed;
  operation.run(state, 2 * passes);
  const after = process.memoryUsage().heapUsed;
  const { statistics } = profiler.stop();
  return sumGrowth(statistics, 'usedHeapSize', before, after) / 2;
}

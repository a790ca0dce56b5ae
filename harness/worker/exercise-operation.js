import { setImmediate as nextTurn } from 'node:timers/promises';
import { monotonicMs } from './clock.js';
import { sumCollections, watchCollections } from './watch-collections.js';

/** @import { Exercise, ExerciseJob, Operation } from '../formats/types.ts' */

/** Work between two readings of the clock; the event loop turns after it. */
const STRETCH_MS = 20;

/**
 * Runs an operation while a recorder observes it, from inside or outside this process.
 *
 * @param {Operation} operation
 * @param {unknown} state prepared by the operation
 * @param {ExerciseJob} job
 * @returns {Promise<Exercise>}
 */
export async function exerciseOperation(operation, state, job) {
  const { work, corpus } = job;
  const pace = 'passes' in work ? null : await warmUp(operation, state, work.warmUpMs);
  const stop = await startObserver(operation, state, job);
  const watch = watchCollections();
  await nextTurn();
  const startMs = monotonicMs();
  const workStartMs = performance.now();
  const passes =
    pace === null || 'passes' in work
      ? await runPasses(operation, state, /** @type {{ passes: number }} */ (work).passes)
      : await runFor(operation, state, work.recordMs, pace);
  const wallMs = performance.now() - workStartMs;
  const endMs = monotonicMs();
  const observed = await stop?.();
  const collected = (await watch?.between(workStartMs, workStartMs + wallMs)) ?? [];
  watch?.end();
  return {
    // A client does one call in a pass.
    documents: passes * (operation.sharesCore === true ? 1 : corpus.documentCount),
    wallMs,
    window: { startMs, endMs },
    collections: sumCollections(collected),
    ...(observed === undefined ? {} : { observed }),
  };
}

/**
 * @param {Operation} operation
 * @param {unknown} state
 * @param {ExerciseJob} job
 * @returns {Promise<(() => Promise<unknown>) | null>} stops the observer
 */
async function startObserver(operation, state, { observer, observedPath }) {
  if (observer === null) return null;
  const { observe } = await import(`./observers/${observer}.js`);
  return observe({ operation, state, observedPath });
}

/**
 * @param {Operation} operation
 * @param {unknown} state
 * @param {number} warmUpMs
 * @returns {Promise<number>} passes per stretch at the final speed
 */
async function warmUp(operation, state, warmUpMs) {
  const startMs = performance.now();
  let passes = 1;
  for (;;) {
    const stretchStartMs = performance.now();
    await operation.run(state, passes);
    const nowMs = performance.now();
    const passMs = Math.max((nowMs - stretchStartMs) / passes, 1e-6);
    const fitting = Math.max(1, Math.round(STRETCH_MS / passMs));
    if (nowMs - startMs >= warmUpMs) return fitting;
    passes = Math.min(passes * 4, fitting);
  }
}

/**
 * @param {Operation} operation
 * @param {unknown} state
 * @param {number} recordMs
 * @param {number} passesInStretch
 * @returns {Promise<number>} passes done
 */
async function runFor(operation, state, recordMs, passesInStretch) {
  const startMs = performance.now();
  let passes = 0;
  while (performance.now() - startMs < recordMs) {
    await operation.run(state, passesInStretch);
    passes += passesInStretch;
    await nextTurn();
  }
  return passes;
}

/** @type {(operation: Operation, state: unknown, passes: number) => Promise<number>} */
async function runPasses(operation, state, passes) {
  await operation.run(state, passes);
  return passes;
}

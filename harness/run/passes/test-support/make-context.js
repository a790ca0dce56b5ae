import { openLocalExecutor } from '../../executors/local.js';

/** @import { LoopContext } from '../../execute.js' */
/** @import { RunJob } from '../../jobs.js' */

/**
 * What the loop needs in most tests: jobs that are answered in this process, a clock that stands still, no budget, no
 * interrupt. Used by tests only.
 *
 * @param {(...args: Parameters<RunJob>) => unknown} [runJob]
 * @returns {LoopContext<any>}
 */
export function makeContext(runJob = async () => {}) {
  return {
    executor: openLocalExecutor(/** @type {RunJob} */ (runJob)),
    observations: [],
    append: () => undefined,
    onProgress: () => undefined,
    clock: { elapsedMs: () => 7, sessionMs: () => 0 },
    untilMs: () => Infinity,
    signal: new AbortController().signal,
  };
}

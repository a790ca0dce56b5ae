/** @import { Operation } from '../formats/types.ts' */

/** Long enough for the optimising compiler, whose code allocates less than the interpreter's. */
const WARM_UP_MS = 300;
const WARM_UP_CALLS = 5_000;
/** One long pass over a corpus is enough warm-up. */
const MAX_WARM_UP_MS = 2_000;

/**
 * Runs an operation until its code is optimised.
 *
 * @param {Operation} operation
 * @param {unknown} state
 * @param {number} documents in one pass
 * @returns {Promise<{ passMs: number }>} time of one pass over the corpus at the end
 */
export async function runUntilHot(operation, state, documents) {
  const startMs = performance.now();
  let passes = 1;
  let calls = 0;
  for (;;) {
    const chunkStartMs = performance.now();
    await operation.run(state, passes);
    const nowMs = performance.now();
    calls += passes * documents;
    const passMs = Math.max((nowMs - chunkStartMs) / passes, 1e-6);
    const elapsedMs = nowMs - startMs;
    const enough = elapsedMs >= WARM_UP_MS && calls >= WARM_UP_CALLS;
    if (enough || elapsedMs >= MAX_WARM_UP_MS) return { passMs };
    passes = Math.min(passes * 2, Math.max(1, Math.round(WARM_UP_MS / 10 / passMs)));
  }
}

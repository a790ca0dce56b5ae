/**
 * One side in a process of its own, for hyperfine: `node whole-process.js TASK SIDE CALLS`. Without
 * a number of calls it makes as many as fit into its share of the budget, counted from the start of
 * the process, and tells how many that were.
 */
import { loadSide } from './load-side.js';
import { openTask, writeFigures } from './open-task.js';

/** @import { Side } from '../types.ts' */

/** Calls between two looks at the clock. */
const STEP = 20;

const { task } = await openTask();
const side = /** @type {Side} */ (process.argv[3]);
const calls = process.argv[4];
const runOnce = await loadSide(task, side);
if (calls === undefined) writeFigures(task, { calls: countCalls(task.budgetMs) });
else runFor(Number(calls));

/**
 * @param {number} endMs since the process began
 * @returns {number}
 */
function countCalls(endMs) {
  let count = 0;
  do {
    runFor(STEP);
    count += STEP;
  } while (performance.now() < endMs);
  return count;
}

/** @param {number} count */
function runFor(count) {
  for (let call = 0; call < count; call++) runOnce();
}

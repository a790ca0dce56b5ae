/**
 * One arm in a separate process, for hyperfine: `node whole-process.js TASK ARM CALLS`. Without CALLS it makes
 * as many as fit into its share of the budget, from the start of the process, and writes their number.
 */
import { loadArm } from './load-arm.js';
import { openTask, writeFigures } from './open-task.js';

/** @import { PeerArm } from '../types.ts' */

/** Calls between two readings of the clock. */
const STEP = 20;

const { task } = await openTask();
const arm = /** @type {PeerArm} */ (process.argv[3]);
const calls = process.argv[4];
const runOnce = await loadArm(task, arm);
if (calls === undefined) writeFigures(task, { calls: countCalls(task.budgetMs) });
else runFor(Number(calls));

/**
 * @param {number} endMs since the start of the process
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

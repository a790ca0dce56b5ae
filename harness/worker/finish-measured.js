import { nowMs } from './clock.js';
import { digestFrames } from './frames.js';
import { mayReturnPromise, requireDone } from './measure-operation.js';
import { pickIndex } from './random.js';

/** @import { MeasureReport, Measurement, Operation, PickIndex } from '../formats/types.ts' */

/**
 * Checks the function that was measured: spot checks, then the output for all documents. Done after the last batch, it
 * checks optimized code, without affecting the type feedback of timed code.
 *
 * @template State
 * @param {Operation<State>} operation
 * @param {State} state
 * @param {Measurement} measurement
 * @returns {Promise<Pick<MeasureReport, 'outputDigest' | 'faults' | 'measurement'>>}
 */
export async function finishMeasured(operation, state, measurement) {
  const faults = await runSpotChecks(operation, state, measurement.batchNsPerDocument[0]);
  const made = operation.output(state);
  if (!mayReturnPromise(operation)) requireDone(made, 'output of the operation');
  // Digested at once: what fills a result later has not worked.
  const output = Array.isArray(made) ? made : await made;
  if (faults.length === 0) return { outputDigest: digestFrames(output), measurement };
  return { outputDigest: digestFrames([...output, ...faults]), faults, measurement };
}

/** Part of the life of the process after which no other spot check begins, and the most of them. */
const MAX_SHARE = 0.005;
const MAX_CHECKS = 8;
/** Calls that take as long as a spot check, about. Where that is too long, only some of the processes have one. */
const CALLS_PER_CHECK = 60;
/** Part of it that passes of one may take at once: many, of what looks fast. */
const MAX_PASSES_SHARE = 0.0007;
/** More than twice the values that a loop gives a document in turn: what remembers them has seen all. */
const MAX_PASSES = 72;
const RANDOM_STEPS = 2 ** 20;
/** Characters of a fault. */
const MAX_LENGTH = 300;
const { floor, max, min } = Math;

/**
 * Runs spot checks of an operation after its last batch: it changes documents, and the loop that was measured runs in between.
 *
 * @template State
 * @param {Operation<State>} operation
 * @param {State} state
 * @param {number} documentNs time of a call
 * @param {PickIndex} [pick]
 * @param {() => number} [clock] milliseconds since the process began
 * @returns {Promise<string[]>} what is wrong; at most one fault. Of a synchronous operation nothing is awaited before that
 *   is known, so nothing can be put off
 */
export async function runSpotChecks(operation, state, documentNs, pick = pickIndex, clock = nowMs) {
  if (operation.spotCheck === undefined) return [];
  const startMs = clock();
  const share = (startMs * MAX_SHARE * 1e6) / (documentNs * CALLS_PER_CHECK);
  if (pick(RANDOM_STEPS) > share * RANDOM_STEPS) return [];
  const fitting = floor((startMs * MAX_PASSES_SHARE * 1e6) / documentNs);
  const maxPasses = max(2, min(MAX_PASSES, fitting));
  for (let count = 0; count < MAX_CHECKS; count++) {
    const check = operation.spotCheck(state, { pick, maxPasses });
    let step = check.next();
    while (step.done !== true) {
      const thrown = runPasses(operation, state, step.value);
      step = check.next(operation.isAsync === true ? await thrown : thrown);
    }
    if (step.value !== null) return [step.value.slice(0, MAX_LENGTH)];
    if (clock() - startMs > startMs * MAX_SHARE) break;
  }
  return [];
}

/**
 * @template State
 * @param {Operation<State>} operation @param {State} state @param {number} passes
 * @returns {unknown} what was thrown; of an asynchronous operation a promise of that
 */
function runPasses(operation, state, passes) {
  try {
    const done = operation.run(state, passes);
    return operation.isAsync === true ? done?.then(() => undefined, nameThrown) : undefined;
  } catch (error) {
    return nameThrown(error);
  }
}

/** @param {unknown} error */
function nameThrown(error) {
  return error ?? 'nothing';
}

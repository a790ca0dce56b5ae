import { digestFrames } from './frames.js';
import { requireDone } from './require-done.js';
import { runSpotChecks } from './run-spot-checks.js';

/** @import { MeasureReport, Measurement, Operation } from '../formats/types.ts' */

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
  const faults = runSpotChecks(operation, state, measurement.batchNsPerDocument[0]);
  const made = operation.output(state);
  if (operation.measure === undefined) requireDone(made, 'output of the operation');
  // Digested at once: what fills a result later has not worked.
  const output = Array.isArray(made) ? made : await made;
  if (faults.length === 0) return { outputDigest: digestFrames(output), measurement };
  return { outputDigest: digestFrames([...output, ...faults]), faults, measurement };
}

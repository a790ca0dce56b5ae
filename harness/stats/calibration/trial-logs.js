/** @import { Arm, Trial } from '../../formats/types.ts' */

/**
 * What the processes of a trial contributed, by arm.
 *
 * @param {Pick<Trial, 'processed'>} trial
 * @param {number} [untilMs] leaves out processes that began at this time of the trial or later
 * @returns {Record<Arm, number[]>} logarithms of nanoseconds per document, in the order of time
 */
export function listLogs({ processed }, untilMs = Infinity) {
  /** @type {Record<Arm, number[]>} */
  const logs = { baseline: [], candidate: [], control: [] };
  for (const { arm, startedAtMs, ns } of processed) {
    if (startedAtMs < untilMs) logs[arm].push(Math.log(ns));
  }
  return logs;
}

import { countBusyMs } from './conclude-run.js';

/** @import { Verdict } from './types.ts' */
/** @import { RunResult } from './conclude-run.js' */
/** @import { StoredRun } from './run-store.js' */

/** @type {Verdict['hostNoise']} */
const UNKNOWN_NOISE = Object.freeze({ stealShare: null, othersShare: null, throttledMs: null });

/**
 * What only the sessions of a run knew, from the verdict that the last of them wrote. A run that was
 * killed has none: what can be told from its jobs is.
 *
 * @param {StoredRun} run
 * @returns {Pick<RunResult, 'ended' | 'hostNoise' | 'differences' | 'wallMs' | 'checkMs'>}
 */
export function recallSession(run) {
  const { verdict } = run;
  const jobs = [...run.observations, ...run.memoryObservations, ...run.profileObservations];
  if (verdict === null) {
    const ends = jobs.map(({ startedAtMs, workerMs }) => startedAtMs + workerMs);
    const wallMs = ends.reduce((last, end) => Math.max(last, end), 0);
    return { ended: 'interrupted', hostNoise: UNKNOWN_NOISE, differences: [], wallMs, checkMs: 0 };
  }
  const { ended, hostNoise, differences, timing } = verdict;
  const checkMs = Math.max(0, timing.workerMs - countBusyMs(jobs));
  return { ended, hostNoise, differences, wallMs: timing.wallMs, checkMs };
}

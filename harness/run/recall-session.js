import { countBusyMs, listJobs } from './conclude-run.js';

/** @import { Verdict } from '../formats/types.ts' */
/** @import { SessionFacts } from './conclude-run.js' */
/** @import { StoredRun } from './run-store.js' */

/** @type {Verdict['hostNoise']} */
const UNKNOWN_NOISE = Object.freeze({ stealShare: null, othersShare: null, throttledMs: null });

/**
 * What only the sessions of a run knew, from the verdict that the last of them wrote. A run that was
 * killed has none: what can be told from its jobs is.
 *
 * @param {StoredRun} run
 * @returns {Required<SessionFacts>}
 */
export function recallSession(run) {
  const { verdict } = run;
  const jobs = listJobs(run);
  if (verdict === null) {
    const ends = jobs.map(({ startedAtMs, workerMs }) => startedAtMs + workerMs);
    const wallMs = ends.reduce((last, end) => Math.max(last, end), 0);
    const untold = { hostNoise: UNKNOWN_NOISE, differences: [], checkMs: 0, interimLooks: {} };
    return { ended: 'interrupted', wallMs, ...untold };
  }
  const { ended, hostNoise, differences, timing, interimLooks = {} } = verdict;
  const checkMs = Math.max(0, timing.workerMs - countBusyMs(jobs));
  return { ended, hostNoise, differences, wallMs: timing.wallMs, checkMs, interimLooks };
}

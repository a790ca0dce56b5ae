import { FORMAT_VERSION } from '../formats/format-version.js';
import { omitUndefined } from '../lib/records.js';
import { beginSeals, endSeals, journal, takeSeals } from './store.js';

/** @import { HostNoise, PassName, RunEnd, SessionEnd, SessionStart } from '../formats/types.ts' */
/** @import { StoredRun } from './store.js' */

/**
 * What is known of all sessions of a run besides its observations.
 *
 * @typedef {object} SessionTotals
 * @property {RunEnd} ended how the last one ended
 * @property {PassName[]} [left] passes that the budget of the last one ended
 * @property {HostNoise} hostNoise of the last one
 * @property {number} wallMs of all sessions
 * @property {Record<string, number[]>} interimLooks unplanned looks, by cell
 */

/** The noise of a host that nobody watched. @type {HostNoise} */
export const UNKNOWN_NOISE = Object.freeze({
  stealShare: null,
  othersShare: null,
  throttledMs: null,
});

/**
 * Sums up the sessions of a run. One that was killed has no end: it took until the end of its last
 * job, and what disturbed it is unknown.
 * @type {(run: StoredRun) => SessionTotals}
 */
export function sumSessions(run) {
  const starts = run.sessions.filter((line) => line.event === 'started');
  const ends = run.sessions.filter((line) => line.event === 'ended');
  const endOf = (/** @type {SessionStart} */ { startedAtMs }) =>
    ends.find((end) => end.startedAtMs === startedAtMs);
  const wallMs = starts.reduce((sum, start, index) => {
    const untilMs = starts[index + 1]?.startedAtMs ?? Infinity;
    return sum + (endOf(start)?.wallMs ?? findLastEndMs(run, start.startedAtMs, untilMs));
  }, 0);
  const last = starts.at(-1);
  const end = last === undefined ? undefined : endOf(last);
  return {
    ended: end?.ended ?? 'interrupted',
    ...omitUndefined({ left: end?.left }),
    hostNoise: end?.hostNoise ?? UNKNOWN_NOISE,
    wallMs,
    interimLooks: ends.at(-1)?.interimLooks ?? {},
  };
}

/** @type {(run: StoredRun, fromMs: number, untilMs: number) => number} from the start of a session to the end of its last job */
function findLastEndMs(run, fromMs, untilMs) {
  const { observations, memoryObservations, profileObservations, placementObservations } = run;
  const jobs = [observations, memoryObservations, profileObservations, placementObservations];
  let endMs = fromMs;
  for (const { startedAtMs, workerMs } of jobs.flat()) {
    if (startedAtMs < untilMs) endMs = Math.max(endMs, startedAtMs + workerMs);
  }
  return endMs - fromMs;
}

/**
 * Records that a session begins.
 * @param {StoredRun} run @param {Pick<SessionStart, 'startedAtMs' | 'budgetSeconds'>} start
 */
export function recordStart(run, start) {
  /** @type {SessionStart} */
  const line = { formatVersion: FORMAT_VERSION, event: 'started', ...start };
  beginSeals(run.path);
  run.sessions.push(line);
  journal(run.path, 'session').append(line);
}

/**
 * Records how a session ended, and what it has written to the journals.
 * @param {StoredRun} run @param {Omit<SessionEnd, 'formatVersion' | 'event' | 'journals'>} end
 * @throws {import('../lib/errors.js').MachineError} when something else has written to them, too
 */
export function recordEnd(run, end) {
  /** @type {SessionEnd} */
  const line = {
    formatVersion: FORMAT_VERSION,
    event: 'ended',
    ...end,
    journals: takeSeals(run.path),
  };
  run.sessions.push(line);
  journal(run.path, 'session').append(line);
  endSeals(run.path);
}

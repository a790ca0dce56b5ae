/** @import { Environment, HostNoise, Thresholds } from '../../formats/types.ts' */

/**
 * @typedef {object} HostState
 * @property {Environment} environment
 * @property {HostNoise | null} hostNoise of the moment, or of the timed part of a run
 * @property {Thresholds} thresholds of the host's calibration, else the usual ones
 * @property {boolean | null} canRaisePriority whether a process may raise the priority of its session
 * @property {number | null} disturbedShare of readings of the reference loop, 0…1
 */

/**
 * What is unusual on a host without a calibration. A hypervisor that takes 1 % on average takes far
 * more at times. Of two cores, other processes may use a tenth of one, because jobs leave the second
 * one idle. A deviation of 8 % between processes is twice the usual one (4.2 %, decision 0001).
 *
 * @type {Readonly<Thresholds>}
 */
export const USUAL_THRESHOLDS = Object.freeze({
  othersShare: 0.05,
  stealShare: 0.01,
  processSpread: 0.08,
});

/**
 * Largest share of disturbed batches that needs no note: with a quarter of the batches gone an
 * interval is at most 15 % wider (1/√0.75).
 */
export const MAX_DISTURBED_SHARE = 0.25;

/** Largest load per CPU of an idle machine. */
export const MAX_LOAD_PER_CPU = 0.5;
/**
 * Largest share of ten seconds in which a task waited for a CPU on an idle machine. Tasks that arrive
 * at random wait 8 % of the time when they keep two CPUs half busy; the jobs of the gate, which ran
 * just before, leave 2 % on a quiet host.
 */
export const MAX_PRESSURE = 0.1;

/** @type {(host: { environment: Pick<Environment, 'loadAverage' | 'cpuCount'> }) => boolean} */
export function isLoaded({ environment: { loadAverage, cpuCount } }) {
  return loadAverage > MAX_LOAD_PER_CPU * cpuCount;
}

/** @param {HostState} host */
export function isWaiting({ environment: { cpuPressure } }) {
  return cpuPressure !== null && cpuPressure > MAX_PRESSURE;
}

/** @param {HostState} host */
export function isBusy(host) {
  return isLoaded(host) || isWaiting(host);
}

/** @param {HostState} host */
export function hasOthers({ hostNoise, thresholds }) {
  return (hostNoise?.othersShare ?? 0) > thresholds.othersShare;
}

import { countOf } from '../lib/numbers.js';
import { formatShare } from '../stats/format-share.js';
import { MAX_LOAD_PER_CPU, MAX_PRESSURE } from '../stats/thresholds.js';
import { callFine, callNote, callUnknown } from './diagnosis.js';

/** @import { Diagnosis, Environment, HostNoise, Thresholds } from '../formats/types.ts' */

const STOP_OTHERS = 'Stop what else runs (top shows it), or wait for it to end.';

/**
 * With whom a job shares the processor and who decides on it: hypervisor, scheduler, control group.
 *
 * @param {Environment} environment
 * @param {HostNoise | null} hostNoise of the moment, or of a run
 * @param {Thresholds} thresholds
 * @param {boolean | null} canRaisePriority null where nobody tried
 * @returns {Diagnosis[]}
 */
export function diagnoseSharing(environment, hostNoise, thresholds, canRaisePriority) {
  return [
    diagnoseSteal(environment, hostNoise, thresholds),
    diagnoseLoad(environment),
    diagnoseRunnable(environment),
    ...diagnoseOthers(hostNoise, thresholds),
    diagnosePressure(environment),
    diagnoseAutogroup(environment, canRaisePriority),
    diagnoseLimit(environment),
    diagnoseThrottling(environment, hostNoise),
  ];
}

/**
 * @param {Environment} environment
 * @param {HostNoise | null} hostNoise
 * @param {Thresholds} thresholds
 */
function diagnoseSteal(environment, hostNoise, thresholds) {
  const name = 'steal';
  const now = hostNoise?.stealShare ?? null;
  if (environment.stealShare === null) {
    return callUnknown(name, 'What a hypervisor gives to other machines is not told here.');
  }
  const sinceBoot = `${formatShare(environment.stealShare)} since boot`;
  const value = now === null ? sinceBoot : `${formatShare(now)} now, ${sinceBoot}`;
  const limit = formatShare(thresholds.stealShare);
  const most = Math.max(now ?? 0, environment.stealShare);
  const sentence = `CPU time that the hypervisor gave to other machines; up to ${limit} is usual.`;
  if (most <= thresholds.stealShare) return callFine(name, value, sentence);
  const advice = 'Measure at another time, or on a machine with cores of its own.';
  return callNote(name, value, sentence, advice);
}

/** @param {Environment} environment */
function diagnoseLoad({ loadAverage, cpuCount }) {
  const most = MAX_LOAD_PER_CPU * cpuCount;
  const value = loadAverage.toFixed(1);
  const sentence = `Tasks that ran or waited to, over the last minute; above ${most.toFixed(1)} a machine of ${countOf(cpuCount, 'CPU')} is not idle.`;
  return loadAverage <= most
    ? callFine('load', value, sentence)
    : callNote('load', value, sentence, STOP_OTHERS);
}

/** @param {Environment} environment */
function diagnoseRunnable({ runnableProcesses, cpuCount }) {
  const name = 'runnable';
  if (runnableProcesses === null) {
    return callUnknown(name, 'How many processes want a CPU is not told here.');
  }
  const value = String(runnableProcesses);
  const sentence = 'Other processes that wanted a CPU at this moment; a job needs one for itself.';
  return runnableProcesses < cpuCount
    ? callFine(name, value, sentence)
    : callNote(name, value, sentence, STOP_OTHERS);
}

/**
 * @param {HostNoise | null} hostNoise
 * @param {Thresholds} thresholds
 */
function diagnoseOthers(hostNoise, thresholds) {
  const othersShare = hostNoise?.othersShare ?? null;
  if (othersShare === null) return [];
  const value = formatShare(othersShare);
  const limit = formatShare(thresholds.othersShare);
  const sentence = `CPU time that other processes used; up to ${limit} is usual.`;
  return othersShare <= thresholds.othersShare
    ? [callFine('other processes', value, sentence)]
    : [callNote('other processes', value, sentence, STOP_OTHERS)];
}

/** @param {Environment} environment */
function diagnosePressure({ cpuPressure }) {
  const name = 'pressure';
  if (cpuPressure === null) {
    return callUnknown(name, 'How long tasks wait for a CPU is not told here.');
  }
  const value = formatShare(cpuPressure);
  const sentence = `Share of the last ten seconds in which a task waited for a CPU; up to ${formatShare(MAX_PRESSURE)} is usual.`;
  return cpuPressure <= MAX_PRESSURE
    ? callFine(name, value, sentence)
    : callNote(name, value, sentence, STOP_OTHERS);
}

/**
 * @param {Environment} environment
 * @param {boolean | null} canRaise
 */
function diagnoseAutogroup({ autogroup }, canRaise) {
  const name = 'autogroup';
  if (autogroup === null) {
    const sentence = 'Whether the kernel shares the processor out by session is not told here.';
    return callUnknown(name, sentence);
  }
  if (!autogroup) {
    const sentence = 'A job competes with every other process alike; its priority is not raised.';
    return callFine(name, 'off', sentence);
  }
  const sentence =
    'The kernel shares the processor out by session, so that nice does nothing between sessions; jobs raise the priority of theirs where they may.';
  if (canRaise === null) return callFine(name, 'on', sentence);
  if (canRaise) return callFine(name, 'on, priority raised', sentence);
  const advice = 'On a busy machine run as root: only root may raise it.';
  return callNote(name, 'on, priority not raised', sentence, advice);
}

/** @param {Environment} environment */
function diagnoseLimit({ cgroupCpuLimit }) {
  const name = 'CPU limit';
  if (cgroupCpuLimit === null) {
    return callFine(name, 'none', 'No control group limits the CPU time of processes here.');
  }
  const value = `${Number(cgroupCpuLimit.toFixed(2))} ${cgroupCpuLimit === 1 ? 'CPU' : 'CPUs'}`;
  const sentence =
    'The control group stops all of its processes for the rest of a period when they have used this much, helper threads of V8 included.';
  return cgroupCpuLimit >= 2
    ? callFine(name, value, sentence)
    : callNote(name, value, sentence, 'Raise the limit to 2 CPUs or more (docker run --cpus 2).');
}

/**
 * @param {Environment} environment
 * @param {HostNoise | null} hostNoise
 */
function diagnoseThrottling({ throttledPeriods, cgroupCpuLimit }, hostNoise) {
  const name = 'throttling';
  const ms = hostNoise?.throttledMs ?? null;
  if (throttledPeriods === null) {
    return cgroupCpuLimit === null
      ? callFine(name, 'none', 'There is no limit that could hold processes back.')
      : callUnknown(name, 'How often the limit held processes back is not told here.');
  }
  const now = ms === null || ms === 0 ? '' : `, ${Math.round(ms)} ms just now`;
  const value = `${countOf(throttledPeriods, 'period')}${now}`;
  const sentence = 'How often the limit has held processes back since the control group was made.';
  return throttledPeriods === 0 && now === ''
    ? callFine(name, value, sentence)
    : callNote(name, value, sentence, 'Raise the limit: a job that is held back is timed as slow.');
}

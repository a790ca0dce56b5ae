import { countOf, formatRoughShare } from '../lib/numbers.js';
import {
  MAX_DISTURBED_SHARE,
  MAX_LOAD_PER_CPU,
  MAX_PRESSURE,
  USUAL_THRESHOLDS,
  isSlowClock,
} from '../stats/thresholds.js';

/** @import { Diagnosis, Environment, HostNoise, Thresholds } from '../formats/types.ts' */

/**
 * What figures from a host may depend on, each with what it means and what to do about it.
 *
 * @param {object} host
 * @param {Environment} host.environment
 * @param {HostNoise | null} [host.hostNoise] of the moment, or of a run
 * @param {Thresholds} [host.thresholds] of its calibration
 * @param {boolean | null} [host.canRaisePriority] whether a process may raise that of its session
 * @param {number | null} [host.disturbedShare] of readings of the yardstick, 0…1
 * @returns {Diagnosis[]} in a fixed order
 */
export function diagnoseHost({
  environment,
  hostNoise = null,
  thresholds = USUAL_THRESHOLDS,
  canRaisePriority = null,
  disturbedShare = null,
}) {
  return [
    ...diagnoseProcessor(environment, disturbedShare),
    ...diagnoseSharing(environment, hostNoise, thresholds, canRaisePriority),
    ...diagnoseRuntime(environment),
  ];
}

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
function diagnoseSharing(environment, hostNoise, thresholds, canRaisePriority) {
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
  const sinceBoot = `${formatRoughShare(environment.stealShare)} since boot`;
  const value = now === null ? sinceBoot : `${formatRoughShare(now)} now, ${sinceBoot}`;
  const limit = formatRoughShare(thresholds.stealShare);
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
  const value = formatRoughShare(othersShare);
  const limit = formatRoughShare(thresholds.othersShare);
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
  const value = formatRoughShare(cpuPressure);
  const sentence = `Share of the last ten seconds in which a task waited for a CPU; up to ${formatRoughShare(MAX_PRESSURE)} is usual.`;
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

/** Container engines as systemd names them; what else it names is a virtual machine. */
const CONTAINERS = [
  'container-other',
  'docker',
  'lxc',
  'lxc-libvirt',
  'openvz',
  'podman',
  'proot',
  'rkt',
  'systemd-nspawn',
  'wsl',
];

/**
 * The processor: what it is and how steady its pace can be.
 *
 * @param {Environment} environment
 * @param {number | null} disturbedShare share of readings of the yardstick, taken just now, that were
 *   slower than its calm pace; null where it was not read
 * @returns {Diagnosis[]}
 */
function diagnoseProcessor(environment, disturbedShare) {
  return [
    callFine(
      'processor',
      environment.cpuModel,
      'Ratios carry over to other processors at times, nanoseconds never: compare times with those of this one alone.',
    ),
    diagnoseCores(environment),
    diagnoseGovernor(environment),
    diagnoseTurbo(environment),
    diagnoseThreads(environment),
    diagnoseVirtualization(environment),
    ...(disturbedShare === null ? [] : [diagnosePace(disturbedShare)]),
  ];
}

/** @param {Environment} environment */
function diagnoseCores({ cpuCount }) {
  const value = String(cpuCount);
  if (cpuCount > 1) {
    const sentence =
      'One job runs at a time; the rest is left to its helper threads and the system.';
    return callFine('cores', value, sentence);
  }
  const sentence =
    'A job shares its only core with its own helper threads, with Assay and with the system.';
  return callNote('cores', value, sentence, 'Measure on a machine with two cores or more.');
}

/** @param {Environment} environment */
function diagnoseGovernor({ governor }) {
  const name = 'governor';
  if (governor === null) {
    const sentence = 'Who sets the frequency is not told here; on a virtual machine its host does.';
    return callUnknown(name, sentence);
  }
  if (governor === 'performance') {
    return callFine(name, governor, 'The frequency does not follow the load.');
  }
  const sentence = 'The frequency follows the load, so the first batches of a job run slower.';
  return callNote(name, governor, sentence, 'sudo cpupower frequency-set -g performance');
}

/** @param {Environment} environment */
function diagnoseTurbo({ turbo }) {
  const name = 'turbo';
  if (turbo === null) {
    const sentence = 'Whether the frequency may rise above the nominal one is not told here.';
    return callUnknown(name, sentence);
  }
  if (!turbo) return callFine(name, 'off', 'The frequency stays at or below the nominal one.');
  const sentence =
    'The frequency rises above the nominal one as heat and other cores allow; the yardstick between batches takes out what it sees of that.';
  const advice = [
    'echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost',
    'Under intel_pstate write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo instead.',
  ];
  return callNote(name, 'on', sentence, advice.join('\n'));
}

/** @param {Environment} environment */
function diagnoseThreads({ smt, virtualization }) {
  const name = 'SMT';
  if (smt === null) {
    return callUnknown(name, 'Whether a core runs two threads is not told here.');
  }
  if (smt) {
    const sentence =
      'Each core runs two threads: what shares a core with a job takes up to half of it, and no counter of waiting shows that.';
    return callNote(
      name,
      'on',
      sentence,
      'echo off | sudo tee /sys/devices/system/cpu/smt/control',
    );
  }
  const sentence =
    virtualization === null
      ? 'Each core runs one thread.'
      : 'Each core runs one thread, as far as is told here: a hypervisor may run a neighbour on the other.';
  return callFine(name, 'off', sentence);
}

/** @param {Environment} environment */
function diagnoseVirtualization({ virtualization }) {
  const name = 'virtualisation';
  if (virtualization === null) {
    return callFine(name, 'none found', 'Nothing between this system and the processor was found.');
  }
  if (CONTAINERS.includes(virtualization)) {
    const sentence =
      'A container shares the processor with all else on its host, of which little is seen from inside.';
    return callNote(name, virtualization, sentence, 'Go by steal and the shared core below.');
  }
  const sentence =
    'A hypervisor shares the processor out, and may run neighbours on the same core.';
  return callNote(name, virtualization, sentence, 'Go by steal and the shared core below.');
}

/** @param {number} disturbedShare */
function diagnosePace(disturbedShare) {
  const name = 'shared core';
  const value = `${formatRoughShare(disturbedShare)} disturbed`;
  const sentence =
    'A fixed piece of arithmetic was timed for half a second just now: this share of its readings was slower than its calm pace.';
  if (disturbedShare <= MAX_DISTURBED_SHARE) return callFine(name, value, sentence);
  return callNote(
    name,
    value,
    `${sentence} A neighbour on the same core does that, or the frequency, or other processes.`,
    'Assay leaves such batches out; wait for a calmer time, or give more of it (--budget).',
  );
}

/**
 * What the kernel and the user decide of a process: its clock, its addresses, its Node.
 *
 * @param {Environment} environment
 * @returns {Diagnosis[]}
 */
function diagnoseRuntime(environment) {
  return [
    diagnoseClock(environment),
    diagnoseAddresses(environment),
    callFine(
      'Node',
      `${environment.node}, V8 ${environment.v8}`,
      'What Assay and its jobs run under; --node measures under others, --node-flag gives jobs flags.',
    ),
    diagnoseVariables(environment),
  ];
}

/** @param {Environment} environment */
function diagnoseClock({ clockSource }) {
  const name = 'clock source';
  if (clockSource === null) return callUnknown(name, 'Where time is read from is not told here.');
  if (!isSlowClock(clockSource)) {
    return callFine(name, clockSource, 'Time is read in nanoseconds, without asking the kernel.');
  }
  const sentence = 'Each reading of the time asks the kernel, a microsecond or more.';
  const advice = 'Boot with clocksource=tsc, where the processor has one that can be relied on.';
  return callNote(name, clockSource, sentence, advice);
}

/** @param {Environment} environment */
function diagnoseAddresses({ aslr }) {
  const name = 'ASLR';
  if (aslr === null) {
    return callUnknown(name, 'Whether processes get random addresses is not told here.');
  }
  const value = ['off', 'without the heap'][aslr] ?? 'on';
  if (aslr >= 2) {
    const sentence =
      'Each process lies at other addresses, so that the luck of one placement averages out.';
    return callFine(name, value, sentence);
  }
  const sentence =
    'All processes lie at the same addresses: the luck of that placement does not average out.';
  return callNote(name, value, sentence, 'sudo sysctl -w kernel.randomize_va_space=2');
}

/** @param {Environment} environment */
function diagnoseVariables({ nodeVariables }) {
  const name = 'variables';
  if (nodeVariables.length === 0) {
    return callFine(
      name,
      'none',
      'No variable is set that changes how Node runs, such as NODE_OPTIONS.',
    );
  }
  const sentence = 'Set here, and not passed on to workers: they would change what is measured.';
  const advice = 'To measure under flags, give them with --node-flag.';
  return callNote(name, nodeVariables.join(', '), sentence, advice);
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} sentence
 * @returns {Diagnosis} of what is as it should be
 */
function callFine(name, value, sentence) {
  return { name, value, state: 'fine', sentence, advice: null };
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} sentence
 * @param {string | null} advice
 * @returns {Diagnosis} of what figures may suffer from
 */
function callNote(name, value, sentence, advice) {
  return { name, value, state: 'note', sentence, advice };
}

/**
 * @param {string} name
 * @param {string} sentence
 * @returns {Diagnosis} of what the host does not tell
 */
function callUnknown(name, sentence) {
  return { name, value: 'not known', state: 'unknown', sentence, advice: null };
}

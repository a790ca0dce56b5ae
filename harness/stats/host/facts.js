/** The facts of a host, in one table: how each is shown, when it is noted, what to do about it, and which uses of
 * results it matters to. `host/environment.js` reads them. */

import { countOf, formatRoughShare, formatShare, formatSize } from '../../lib/numbers.js';
import {
  MAX_DISTURBED_SHARE,
  MAX_LOAD_PER_CPU,
  MAX_PRESSURE,
  hasOthers,
  isBusy,
  isLoaded,
  isWaiting,
} from './state.js';

/** @import { Environment } from '../../formats/types.ts' */
/** @import { HostState } from './state.js' */

/** @typedef {Partial<Environment>} KnownEnvironment what is stated about a host */
/** @typedef {'node' | 'v8' | 'processor' | 'kernel' | 'host' | 'load'} HostAspect part of an identity */
/** @typedef {(host: HostState) => string | null} NoteText null for no note */

/**
 * What `just doctor` says about a fact.
 *
 * @typedef {object} Check
 * @property {string} name
 * @property {(host: HostState) => string | null | undefined} [value] instead of `show`
 * @property {string} [unknown] sentence for a value of null
 * @property {(host: HostState) => boolean} [isNoted] whether figures may suffer from it
 * @property {string | ((host: HostState) => string)} fine sentence
 * @property {string | ((host: HostState) => string)} [noted] sentence where it is noted; else that of `fine`
 * @property {string} [advice] what to do where it is noted
 */

/**
 * @typedef {object} HostFact
 * @property {(environment: KnownEnvironment) => string | null | undefined} [show] null where the host does not say,
 *   undefined where nothing is stated
 * @property {[title: string, text?: (environment: Environment) => string | null]} [report] its row in reports, with
 *   another text than `show`; null for no row
 * @property {[aspect: HostAspect, label: string]} [identity] what two hosts that show it differently differ in
 * @property {(before: KnownEnvironment, now: KnownEnvironment) => boolean} [isSimilar] whether such a difference does
 *   not count
 * @property {[name: string, text?: (environment: KnownEnvironment) => string]} [calibrated] a calibration is not used
 *   where it differs
 * @property {Check} [check]
 * @property {{ kind: string, text: NoteText }} [note] on a run: the state of the host before the first job
 * @property {{ kind: string, text: NoteText }} [noise] on a run: what disturbed the timed part
 */

/** Share by which the memory of two hosts of one kind may differ: their kernels reserve some of it. */
const MAX_MEMORY_SHARE = 0.1;
/** Clocks that a process reads without a system call. */
const FAST_CLOCKS = ['tsc', 'kvm-clock', 'arch_sys_counter', 'hyperv_clocksource_tsc_page'];
/** Container engines as systemd names them; any other name is a virtual machine. */
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

const STOP_OTHERS = 'Stop other programs (see top), or wait for them to end.';
const WATCH_NEIGHBOURS = 'Watch steal and the shared core, which tell how much.';
const DISTURBED_NOW =
  'A fixed loop of arithmetic was timed for half a second: this share of its readings was slower than its undisturbed speed.';

/** In the order in which they are printed and compared. @type {readonly HostFact[]} */
export const HOST_FACTS = Object.freeze([
  {
    show: ({ node }) => node,
    identity: ['node', 'Node'],
    calibrated: ['Node', ({ node = '' }) => node.replace(/^v/, '').split('.')[0]],
    report: ['Node', nameNode],
    check: {
      name: 'Node',
      value: ({ environment }) => nameNode(environment),
      fine: 'Runs Assay and its jobs; --runtime measures under others, --node-flag passes flags to jobs.',
    },
  },
  { show: ({ v8 }) => v8, identity: ['v8', 'V8'] },
  {
    show: ({ os }) => os,
    identity: ['host', 'operating system'],
    report: ['System', ({ os, kernel, arch }) => `${os}, kernel ${kernel}, ${arch}`],
  },
  { show: ({ kernel }) => kernel, identity: ['kernel', 'kernel'], calibrated: ['kernel'] },
  { show: ({ arch }) => arch, identity: ['host', 'architecture'] },
  {
    show: ({ cpuModel }) => cpuModel,
    identity: ['processor', 'processor'],
    calibrated: ['processor'],
    report: ['Processor', ({ cpuCount, cpuModel }) => `${cpuCount} × ${cpuModel}`],
    check: {
      name: 'processor',
      fine: 'Ratios sometimes carry over to other processors, nanoseconds never do: compare times with times from this one only.',
    },
  },
  {
    show: ({ cpuCount }) => cpuCount?.toString(),
    identity: ['host', 'CPUs'],
    calibrated: ['number of processors'],
    check: {
      name: 'cores',
      isNoted: ({ environment }) => environment.cpuCount <= 1,
      fine: 'A comparison runs one job at a time, or on Linux two, each on a core of its own.',
      noted:
        'A job shares its only core with its own helper threads, with Assay and with the system.',
      advice: 'Measure on a machine with two cores or more.',
    },
  },
  {
    show: ({ memoryBytes }) => (memoryBytes === undefined ? undefined : formatSize(memoryBytes)),
    report: ['Memory'],
    identity: ['host', 'memory'],
    isSimilar: ({ memoryBytes: before = 0 }, { memoryBytes: now = 0 }) =>
      Math.abs(before - now) <= MAX_MEMORY_SHARE * Math.max(before, now),
  },
  {
    show: ({ virtualization }) => (virtualization === null ? 'none found' : virtualization),
    report: ['Virtualization'],
    identity: ['host', 'virtualization'],
    check: {
      name: 'virtualisation',
      isNoted: ({ environment }) => environment.virtualization !== null,
      fine: 'No hypervisor or container was found.',
      noted: ({ environment }) =>
        CONTAINERS.includes(environment.virtualization ?? '')
          ? 'A container shares the processor with everything else on its host, and can see little of it.'
          : 'A hypervisor divides the processor among its machines, and may run neighbours on the same core.',
      advice: WATCH_NEIGHBOURS,
    },
  },
  {
    show: ({ governor }) => governor,
    report: ['Frequency governor'],
    identity: ['host', 'frequency governor'],
    check: {
      name: 'governor',
      unknown: 'Who sets the frequency is unknown; on a virtual machine its host does.',
      isNoted: isGoverned,
      fine: 'The frequency does not follow the load.',
      noted: 'The frequency follows the load, so the first batches of a job run slower.',
      advice: 'sudo cpupower frequency-set -g performance',
    },
    note: {
      kind: 'governor',
      text: (host) =>
        isGoverned(host)
          ? `The CPU frequency governor is '${host.environment.governor}'; 'performance' gives steadier times.`
          : null,
    },
  },
  {
    show: ({ turbo }) => nameSwitch(turbo),
    report: ['Turbo'],
    check: {
      name: 'turbo',
      unknown: 'Whether the frequency may rise above the nominal one is unknown.',
      isNoted: ({ environment }) => environment.turbo === true,
      fine: 'The frequency stays at or below the nominal one.',
      noted:
        'The frequency rises above the nominal one as heat and other cores allow; the reference loop between batches corrects for part of that.',
      advice: [
        'echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost',
        'Under intel_pstate write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo instead.',
      ].join('\n'),
    },
  },
  {
    show: ({ smt }) => nameSwitch(smt),
    report: ['SMT'],
    check: {
      name: 'SMT',
      unknown: 'Whether a core runs two threads is unknown.',
      isNoted: ({ environment }) => environment.smt === true,
      fine: ({ environment }) =>
        environment.virtualization === null
          ? 'Each core runs one thread.'
          : 'Each core runs one thread, as far as this system knows: a hypervisor may run a neighbour on the other one.',
      noted:
        'Each core runs two threads: a neighbour on the core of a job takes up to half of it, and no counter shows that.',
      advice: 'echo off | sudo tee /sys/devices/system/cpu/smt/control',
    },
    note: {
      kind: 'smt',
      text: (host) =>
        host.environment.smt === true && (isBusy(host) || hasOthers(host))
          ? 'Cores run two threads each, and other processes ran: whatever shares a core with a job slows it down without any sign of waiting.'
          : null,
    },
  },
  {
    show: ({ clockSource }) => clockSource,
    report: ['Clock source'],
    check: {
      name: 'clock source',
      unknown: 'Which clock the time is read from is unknown.',
      isNoted: isSlowClock,
      fine: 'Reading the time takes nanoseconds, without a system call.',
      noted: 'Each reading of the time is a system call and takes a microsecond or more.',
      advice: 'Boot with clocksource=tsc, if the processor has a reliable one.',
    },
    note: {
      kind: 'clock-source',
      text: (host) =>
        isSlowClock(host)
          ? `Time is read from '${host.environment.clockSource}' with a system call each time: short batches, and whatever reads the clock, take longer.`
          : null,
    },
  },
  {
    show: ({ autogroup }) => nameSwitch(autogroup),
    report: ['Autogroup scheduling'],
    identity: ['host', 'autogroup'],
    check: {
      name: 'autogroup',
      value({ environment: { autogroup }, canRaisePriority }) {
        if (autogroup !== true || canRaisePriority === null) return nameSwitch(autogroup);
        return canRaisePriority ? 'on, priority raised' : 'on, priority not raised';
      },
      unknown: 'Whether the kernel divides CPU time by session is unknown.',
      isNoted: ({ environment, canRaisePriority }) =>
        environment.autogroup === true && canRaisePriority === false,
      fine: ({ environment }) =>
        environment.autogroup
          ? 'The kernel divides CPU time by session, so nice has no effect between sessions; jobs raise the priority of their session where permitted.'
          : 'A job competes with every other process on equal terms; its priority is not raised.',
      advice: 'Only root may raise it: run as root on a busy machine.',
    },
  },
  {
    show: ({ cgroupCpuLimit: limit }) =>
      typeof limit === 'number' ? nameCpus(limit) : limit === null ? 'none' : undefined,
    report: ['CPU limit (cgroup)'],
    identity: ['host', 'CPU limit'],
    check: {
      name: 'CPU limit',
      value: ({ environment: { cgroupCpuLimit: limit } }) =>
        limit === null ? 'none' : nameCpus(Number(limit.toFixed(2))),
      isNoted: ({ environment }) => (environment.cgroupCpuLimit ?? Infinity) < 2,
      fine: ({ environment }) =>
        environment.cgroupCpuLimit === null
          ? 'No control group limits the CPU time of processes here.'
          : 'The control group stops all of its processes for the rest of a period once they have used this much, helper threads of V8 included.',
      advice: 'Raise the limit to 2 CPUs or more (docker run --cpus 2).',
    },
  },
  {
    check: {
      name: 'throttling',
      value({ environment: { throttledPeriods, cgroupCpuLimit }, hostNoise }) {
        if (throttledPeriods === null) return cgroupCpuLimit === null ? 'none' : null;
        const ms = hostNoise?.throttledMs ?? 0;
        return `${countOf(throttledPeriods, 'period')}${ms === 0 ? '' : `, ${Math.round(ms)} ms just now`}`;
      },
      unknown: 'How often the limit held processes back is unknown.',
      isNoted: ({ environment: { throttledPeriods }, hostNoise }) =>
        throttledPeriods !== null && (throttledPeriods > 0 || (hostNoise?.throttledMs ?? 0) !== 0),
      fine: ({ environment }) =>
        environment.throttledPeriods === null
          ? 'There is no limit that could hold processes back.'
          : 'How often the limit has held processes back since the control group was created.',
      advice: 'Raise the limit: a job that is held back is timed as slow.',
    },
    note: {
      kind: 'throttled-before',
      text: ({ environment: { cgroupCpuLimit: limit, throttledPeriods } }) =>
        limit !== null && throttledPeriods
          ? `The control group's limit of ${nameCpus(limit)} held processes back in ${countOf(throttledPeriods, 'period')} before the first job, and may hold jobs back too.`
          : null,
    },
  },
  {
    check: {
      name: 'ASLR',
      value: ({ environment: { aslr } }) =>
        aslr === null ? null : (['off', 'without the heap'][aslr] ?? 'on'),
      unknown: 'Whether processes get random addresses is unknown.',
      isNoted: ({ environment }) => (environment.aslr ?? 2) < 2,
      fine: 'Each process is loaded at random addresses, so effects of placement average out.',
      noted:
        'All processes are loaded at the same addresses, so effects of placement do not average out.',
      advice: 'sudo sysctl -w kernel.randomize_va_space=2',
    },
  },
  {
    check: {
      name: 'shared core',
      value: ({ disturbedShare }) =>
        disturbedShare === null ? undefined : `${formatRoughShare(disturbedShare)} disturbed`,
      isNoted: ({ disturbedShare }) => (disturbedShare ?? 0) > MAX_DISTURBED_SHARE,
      fine: DISTURBED_NOW,
      noted: `${DISTURBED_NOW} The cause is a neighbour on the same core, the frequency, or other processes.`,
      advice:
        'Assay excludes such batches; wait for a quieter time, or allow more of it (--budget).',
    },
  },
  {
    check: {
      name: 'steal',
      value({ environment: { stealShare }, hostNoise }) {
        if (stealShare === null) return null;
        const sinceBoot = `${formatRoughShare(stealShare)} since boot`;
        const now = hostNoise?.stealShare ?? null;
        return now === null ? sinceBoot : `${formatRoughShare(now)} now, ${sinceBoot}`;
      },
      unknown: 'How much CPU time a hypervisor gives to other machines is unknown.',
      isNoted: ({ environment, hostNoise, thresholds }) =>
        Math.max(hostNoise?.stealShare ?? 0, environment.stealShare ?? 0) > thresholds.stealShare,
      fine: ({ thresholds }) =>
        `CPU time that the hypervisor gave to other machines; up to ${formatRoughShare(thresholds.stealShare)} is usual.`,
      advice: 'Measure at another time, or on a machine with dedicated cores.',
    },
    noise: {
      kind: 'steal',
      text({ hostNoise, thresholds }) {
        const share = hostNoise?.stealShare ?? 0;
        return share > thresholds.stealShare
          ? `The hypervisor gave ${formatRoughShare(share)} of the CPU time to other machines while jobs were timed.`
          : null;
      },
    },
  },
  {
    show: ({ loadAverage }) => loadAverage?.toFixed(1),
    report: ['Before the first job', describeLoad],
    // The load depends on the moment: it differs where one of the hosts was busy and the other was not.
    identity: ['load', 'load before the first job'],
    isSimilar: (before, now) => wasLoaded(before) === wasLoaded(now),
    check: {
      name: 'load',
      isNoted: isLoaded,
      fine: ({ environment: { cpuCount } }) =>
        `Tasks that ran or waited, over the last minute; above ${(MAX_LOAD_PER_CPU * cpuCount).toFixed(1)} a machine with ${countOf(cpuCount, 'CPU')} is not idle.`,
      advice: STOP_OTHERS,
    },
    note: {
      kind: 'busy-host',
      text(host) {
        const { loadAverage, cpuCount, cpuPressure } = host.environment;
        if (!isBusy(host)) return null;
        const load = `load ${loadAverage.toFixed(1)} on ${countOf(cpuCount, 'CPU')}`;
        const pressure = `tasks waited for a CPU during ${formatRoughShare(cpuPressure ?? 0)} of ten seconds`;
        const signs = [...(isLoaded(host) ? [load] : []), ...(isWaiting(host) ? [pressure] : [])];
        return `The machine was busy before the first job: ${signs.join(', ')}.`;
      },
    },
  },
  {
    show: ({ runnableProcesses }) => runnableProcesses?.toString() ?? null,
    check: {
      name: 'runnable',
      unknown: 'How many processes are runnable is unknown.',
      isNoted: ({ environment }) => (environment.runnableProcesses ?? 0) >= environment.cpuCount,
      fine: 'Other processes that were runnable at this moment; a job needs a CPU for itself.',
      advice: STOP_OTHERS,
    },
  },
  {
    check: {
      name: 'other processes',
      value: ({ hostNoise }) =>
        hostNoise?.othersShare == null ? undefined : formatRoughShare(hostNoise.othersShare),
      isNoted: hasOthers,
      fine: ({ thresholds }) =>
        `CPU time that other processes used; up to ${formatRoughShare(thresholds.othersShare)} is usual.`,
      advice: STOP_OTHERS,
    },
    noise: {
      kind: 'other-processes',
      text: (host) =>
        hasOthers(host)
          ? `Other processes used ${formatRoughShare(host.hostNoise?.othersShare ?? 0)} of the CPU time while jobs were timed.`
          : null,
    },
  },
  {
    noise: {
      kind: 'throttled',
      text({ hostNoise }) {
        const ms = hostNoise?.throttledMs ?? 0;
        return ms > 0
          ? `The control group's CPU limit held processes back for ${Math.round(ms)} ms.`
          : null;
      },
    },
  },
  {
    check: {
      name: 'pressure',
      value: ({ environment: { cpuPressure } }) =>
        cpuPressure === null ? null : formatRoughShare(cpuPressure),
      unknown: 'How long tasks wait for a CPU is unknown.',
      isNoted: isWaiting,
      fine: `Share of the last ten seconds in which a task waited for a CPU; up to ${formatRoughShare(MAX_PRESSURE)} is usual.`,
      advice: STOP_OTHERS,
    },
  },
  {
    report: ['Variables not passed on', ({ nodeVariables }) => nodeVariables.join(', ') || null],
    check: {
      name: 'variables',
      value: ({ environment }) => environment.nodeVariables.join(', ') || 'none',
      isNoted: ({ environment }) => environment.nodeVariables.length > 0,
      fine: 'No variable that changes how Node runs is set, such as NODE_OPTIONS.',
      noted: 'Set here but not passed on to workers, because they would change what is measured.',
      advice: 'To measure under flags, use --node-flag.',
    },
    note: {
      kind: 'node-variables',
      text: ({ environment: { nodeVariables } }) =>
        nodeVariables.length > 0
          ? `Set by the user and not passed on to workers: ${nodeVariables.join(', ')}.`
          : null,
    },
  },
]);

/** @type {(environment: Environment) => string} */
function nameNode({ node, v8 }) {
  return `${node}, V8 ${v8}`;
}

/** @param {boolean | null | undefined} value */
function nameSwitch(value) {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : value;
}

/** @param {number} count which may be a fraction */
function nameCpus(count) {
  return `${count} ${count === 1 ? 'CPU' : 'CPUs'}`;
}

/** @param {HostState} host */
function isGoverned({ environment: { governor } }) {
  return governor !== null && governor !== 'performance';
}

/** @param {HostState} host */
function isSlowClock({ environment: { clockSource } }) {
  return clockSource !== null && !FAST_CLOCKS.includes(clockSource);
}

/** @param {KnownEnvironment} environment */
function wasLoaded({ loadAverage = 0, cpuCount = 1 }) {
  return isLoaded({ environment: { loadAverage, cpuCount } });
}

/** @param {Environment} environment */
function describeLoad({ loadAverage, runnableProcesses, cpuPressure }) {
  const pressure = cpuPressure === null ? 'unknown' : formatShare(cpuPressure);
  return `load ${loadAverage}, runnable processes ${runnableProcesses ?? 'unknown'}, CPU pressure ${pressure}`;
}

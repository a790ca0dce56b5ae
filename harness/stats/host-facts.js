import { countOf, formatRoughShare } from '../lib/numbers.js';

/** @import { Diagnosis, Environment, HostNoise, Thresholds } from '../formats/types.ts' */
/** @import { Note } from './notes.js' */

/**
 * What is unusual on a host without a calibration. A hypervisor that takes 1 % on average takes far
 * more at times. Of two cores, other processes may use a tenth of one, because jobs leave the second
 * one idle. A deviation of 8 % between processes is twice the usual one (4.2 %, FACTS "Noise").
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
const MAX_LOAD_PER_CPU = 0.5;
/**
 * Largest share of ten seconds in which a task waited for a CPU on an idle machine. Tasks that arrive
 * at random wait 8 % of the time when they keep two CPUs half busy; the jobs of the gate, which ran
 * just before, leave 2 % on a quiet host.
 */
const MAX_PRESSURE = 0.1;
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

/**
 * @typedef {object} HostState
 * @property {Environment} environment
 * @property {HostNoise | null} hostNoise of the moment, or of the timed part of a run
 * @property {Thresholds} thresholds of the host's calibration, else the usual ones
 * @property {boolean | null} canRaisePriority whether a process may raise the priority of its session
 * @property {number | null} disturbedShare of readings of the reference loop, 0…1
 */

/**
 * Something that figures from a host may depend on. `just doctor` prints all facts; a report has the
 * notes of those that apply to its run.
 *
 * @typedef {object} HostFact
 * @property {string} name
 * @property {(host: HostState) => string | null | undefined} value null where the host does not say,
 *   undefined where the fact does not exist
 * @property {string} [unknown] sentence for a value of null
 * @property {(host: HostState) => boolean} [isNoted] whether figures may suffer from it
 * @property {string | ((host: HostState) => string)} fine sentence
 * @property {string | ((host: HostState) => string)} [noted] sentence where it is noted; else that of
 *   `fine`
 * @property {string} [advice] what to do where it is noted
 * @property {HostNote[]} [notes]
 */

/** @typedef {{ kind: string, text: (host: HostState) => string | null }} HostNote null for no note */

/** Kinds of notes on the environment before the first job, in the order in which a report has them … */
const ENVIRONMENT_NOTES = [
  'busy-host',
  'throttled-before',
  'governor',
  'smt',
  'clock-source',
  'node-variables',
];
/** … and of those on what disturbed the timed part. */
const NOISE_NOTES = ['steal', 'other-processes', 'throttled'];

const STOP_OTHERS = 'Stop what else runs (see top), or wait for it to end.';
const WATCH_NEIGHBOURS = 'Check steal and the shared core below.';
const DISTURBED_NOW =
  'A fixed piece of arithmetic was timed for half a second just now: this share of its readings was slower than its undisturbed speed.';

/** In the order in which `just doctor` prints them. @type {HostFact[]} */
const HOST_FACTS = [
  {
    name: 'processor',
    value: ({ environment }) => environment.cpuModel,
    fine: 'Ratios sometimes carry over to other processors, nanoseconds never do: compare times with times from this one only.',
  },
  {
    name: 'cores',
    value: ({ environment }) => String(environment.cpuCount),
    isNoted: ({ environment }) => environment.cpuCount <= 1,
    fine: 'One job runs at a time; the other cores are left to its helper threads and the system.',
    noted:
      'A job shares its only core with its own helper threads, with Assay and with the system.',
    advice: 'Measure on a machine with two cores or more.',
  },
  {
    name: 'governor',
    value: ({ environment }) => environment.governor,
    unknown: 'Who sets the frequency is unknown; on a virtual machine its host does.',
    isNoted: isGoverned,
    fine: 'The frequency does not follow the load.',
    noted: 'The frequency follows the load, so the first batches of a job run slower.',
    advice: 'sudo cpupower frequency-set -g performance',
    notes: [
      {
        kind: 'governor',
        text: (host) =>
          isGoverned(host)
            ? `The CPU frequency governor is '${host.environment.governor}'; 'performance' gives steadier times.`
            : null,
      },
    ],
  },
  {
    name: 'turbo',
    value: ({ environment }) => nameSwitch(environment.turbo),
    unknown: 'Whether the frequency may rise above the nominal one is unknown.',
    isNoted: ({ environment }) => environment.turbo === true,
    fine: 'The frequency stays at or below the nominal one.',
    noted:
      'The frequency rises above the nominal one as heat and other cores allow; the reference loop between batches corrects for what it sees of that.',
    advice: [
      'echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost',
      'Under intel_pstate write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo instead.',
    ].join('\n'),
  },
  {
    name: 'SMT',
    value: ({ environment }) => nameSwitch(environment.smt),
    unknown: 'Whether a core runs two threads is unknown.',
    isNoted: ({ environment }) => environment.smt === true,
    fine: ({ environment }) =>
      environment.virtualization === null
        ? 'Each core runs one thread.'
        : 'Each core runs one thread, as far as this system knows: a hypervisor may run a neighbour on the other one.',
    noted:
      'Each core runs two threads: whatever shares a core with a job takes up to half of it, and no counter of waiting shows that.',
    advice: 'echo off | sudo tee /sys/devices/system/cpu/smt/control',
    notes: [
      {
        kind: 'smt',
        text: (host) =>
          host.environment.smt === true && (isBusy(host) || hasOthers(host))
            ? 'Cores run two threads each, and other processes ran: whatever shares a core with a job slows it down without any sign of waiting.'
            : null,
      },
    ],
  },
  {
    name: 'virtualisation',
    value: ({ environment }) => environment.virtualization ?? 'none found',
    isNoted: ({ environment }) => environment.virtualization !== null,
    fine: 'Nothing was found between this system and the processor.',
    noted: ({ environment }) =>
      CONTAINERS.includes(environment.virtualization ?? '')
        ? 'A container shares the processor with everything else on its host, and sees little of that.'
        : 'A hypervisor shares out the processor, and may run neighbours on the same core.',
    advice: WATCH_NEIGHBOURS,
  },
  {
    name: 'shared core',
    value: ({ disturbedShare }) =>
      disturbedShare === null ? undefined : `${formatRoughShare(disturbedShare)} disturbed`,
    isNoted: ({ disturbedShare }) => (disturbedShare ?? 0) > MAX_DISTURBED_SHARE,
    fine: DISTURBED_NOW,
    noted: `${DISTURBED_NOW} The cause is a neighbour on the same core, the frequency, or other processes.`,
    advice: 'Assay excludes such batches; wait for a quieter time, or allow more of it (--budget).',
  },
  {
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
    advice: 'Measure at another time, or on a machine with cores of its own.',
    notes: [
      {
        kind: 'steal',
        text: ({ hostNoise, thresholds }) => {
          const share = hostNoise?.stealShare ?? 0;
          return share > thresholds.stealShare
            ? `The hypervisor gave ${formatRoughShare(share)} of the CPU time to other machines while jobs were timed.`
            : null;
        },
      },
    ],
  },
  {
    name: 'load',
    value: ({ environment }) => environment.loadAverage.toFixed(1),
    isNoted: isLoaded,
    fine: ({ environment: { cpuCount } }) =>
      `Tasks that ran or waited, over the last minute; above ${(MAX_LOAD_PER_CPU * cpuCount).toFixed(1)} a machine with ${countOf(cpuCount, 'CPU')} is not idle.`,
    advice: STOP_OTHERS,
    notes: [{ kind: 'busy-host', text: describeLoad }],
  },
  {
    name: 'runnable',
    value: ({ environment: { runnableProcesses } }) =>
      runnableProcesses === null ? null : String(runnableProcesses),
    unknown: 'How many processes want a CPU is unknown.',
    isNoted: ({ environment }) => (environment.runnableProcesses ?? 0) >= environment.cpuCount,
    fine: 'Other processes that wanted a CPU at this moment; a job needs one for itself.',
    advice: STOP_OTHERS,
  },
  {
    name: 'other processes',
    value: ({ hostNoise }) =>
      hostNoise?.othersShare == null ? undefined : formatRoughShare(hostNoise.othersShare),
    isNoted: hasOthers,
    fine: ({ thresholds }) =>
      `CPU time that other processes used; up to ${formatRoughShare(thresholds.othersShare)} is usual.`,
    advice: STOP_OTHERS,
    notes: [
      {
        kind: 'other-processes',
        text: (host) =>
          hasOthers(host)
            ? `Other processes used ${formatRoughShare(host.hostNoise?.othersShare ?? 0)} of the CPU time while jobs were timed.`
            : null,
      },
    ],
  },
  {
    name: 'pressure',
    value: ({ environment: { cpuPressure } }) =>
      cpuPressure === null ? null : formatRoughShare(cpuPressure),
    unknown: 'How long tasks wait for a CPU is unknown.',
    isNoted: isWaiting,
    fine: `Share of the last ten seconds in which a task waited for a CPU; up to ${formatRoughShare(MAX_PRESSURE)} is usual.`,
    advice: STOP_OTHERS,
  },
  {
    name: 'autogroup',
    value({ environment: { autogroup }, canRaisePriority }) {
      if (autogroup !== true || canRaisePriority === null) return nameSwitch(autogroup);
      return canRaisePriority ? 'on, priority raised' : 'on, priority not raised';
    },
    unknown: 'Whether the kernel shares out the processor by session is unknown.',
    isNoted: ({ environment, canRaisePriority }) =>
      environment.autogroup === true && canRaisePriority === false,
    fine: ({ environment }) =>
      environment.autogroup
        ? 'The kernel shares out the processor by session, so nice has no effect between sessions; jobs raise the priority of theirs where they may.'
        : 'A job competes with every other process on equal terms; its priority is not raised.',
    advice: 'On a busy machine run as root: only root may raise it.',
  },
  {
    name: 'CPU limit',
    value: ({ environment: { cgroupCpuLimit: limit } }) =>
      limit === null ? 'none' : `${Number(limit.toFixed(2))} ${nameCpus(limit)}`,
    isNoted: ({ environment }) => (environment.cgroupCpuLimit ?? Infinity) < 2,
    fine: ({ environment }) =>
      environment.cgroupCpuLimit === null
        ? 'No control group limits the CPU time of processes here.'
        : 'The control group stops all of its processes for the rest of a period once they have used this much, helper threads of V8 included.',
    advice: 'Raise the limit to 2 CPUs or more (docker run --cpus 2).',
  },
  {
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
    notes: [
      { kind: 'throttled-before', text: describeThrottling },
      {
        kind: 'throttled',
        text: ({ hostNoise }) => {
          const ms = hostNoise?.throttledMs ?? 0;
          return ms > 0
            ? `The control group's CPU limit held processes back for ${Math.round(ms)} ms.`
            : null;
        },
      },
    ],
  },
  {
    name: 'clock source',
    value: ({ environment }) => environment.clockSource,
    unknown: 'Which clock the time is read from is unknown.',
    isNoted: isSlowClock,
    fine: 'Time is read within nanoseconds, without a system call.',
    noted: 'Each reading of the time is a system call and takes a microsecond or more.',
    advice: 'Boot with clocksource=tsc, if the processor has a reliable one.',
    notes: [
      {
        kind: 'clock-source',
        text: (host) =>
          isSlowClock(host)
            ? `Time is read from '${host.environment.clockSource}' with a system call each time: short batches, and whatever reads the clock, take longer.`
            : null,
      },
    ],
  },
  {
    name: 'ASLR',
    value: ({ environment: { aslr } }) =>
      aslr === null ? null : (['off', 'without the heap'][aslr] ?? 'on'),
    unknown: 'Whether processes get random addresses is unknown.',
    isNoted: ({ environment }) => (environment.aslr ?? 2) < 2,
    fine: 'Each process lies at other addresses, so the luck of one placement averages out.',
    noted:
      'All processes lie at the same addresses: the luck of that placement does not average out.',
    advice: 'sudo sysctl -w kernel.randomize_va_space=2',
  },
  {
    name: 'Node',
    value: ({ environment }) => `${environment.node}, V8 ${environment.v8}`,
    fine: 'What runs Assay and its jobs; --node measures under other versions, --node-flag passes flags to jobs.',
  },
  {
    name: 'variables',
    value: ({ environment }) => environment.nodeVariables.join(', ') || 'none',
    isNoted: ({ environment }) => environment.nodeVariables.length > 0,
    fine: 'No variable is set that changes how Node runs, such as NODE_OPTIONS.',
    noted: 'Set here, and not passed on to workers: they would change what is measured.',
    advice: 'To measure under flags, use --node-flag.',
    notes: [
      {
        kind: 'node-variables',
        text: ({ environment: { nodeVariables } }) =>
          nodeVariables.length > 0
            ? `Set by the user and not passed on to workers: ${nodeVariables.join(', ')}.`
            : null,
      },
    ],
  },
];

/**
 * What figures from a host may depend on, each with what it means and what to do about it.
 *
 * @param {Pick<HostState, 'environment'> & Partial<HostState>} host
 * @returns {Diagnosis[]} in a fixed order
 */
export function diagnoseHost({ environment, ...rest }) {
  /** @type {HostState} */
  const host = {
    environment,
    hostNoise: null,
    thresholds: USUAL_THRESHOLDS,
    canRaisePriority: null,
    disturbedShare: null,
    ...rest,
  };
  return HOST_FACTS.flatMap((fact) => diagnose(fact, host) ?? []);
}

/**
 * @param {HostFact} fact
 * @param {HostState} host
 * @returns {Diagnosis | null} null where the fact does not exist
 */
function diagnose({ name, value: read, unknown = '', isNoted, fine, noted = fine, advice }, host) {
  const value = read(host);
  if (value === undefined) return null;
  if (value === null) {
    return { name, value: 'not known', state: 'unknown', sentence: unknown, advice: null };
  }
  const hasNote = isNoted?.(host) ?? false;
  const sentence = hasNote ? noted : fine;
  return {
    name,
    value,
    state: hasNote ? 'note' : 'fine',
    sentence: typeof sentence === 'string' ? sentence : sentence(host),
    advice: hasNote ? (advice ?? null) : null,
  };
}

/**
 * What a reader of figures should know of the host as it was before the first job.
 *
 * @param {Environment} environment
 * @param {HostNoise | null} hostNoise of the timed part
 * @param {Thresholds} thresholds
 * @returns {Note[]}
 */
export function noteHost(environment, hostNoise, thresholds) {
  const host = { environment, hostNoise, thresholds, canRaisePriority: null, disturbedShare: null };
  return ENVIRONMENT_NOTES.flatMap((kind) => makeNote(kind, host));
}

/**
 * What disturbed the timed part.
 *
 * @param {HostNoise} hostNoise
 * @param {Thresholds} thresholds
 * @returns {Note[]}
 */
export function noteNoise(hostNoise, thresholds) {
  // These look at the noise only.
  const host = /** @type {HostState} */ ({ hostNoise, thresholds });
  return NOISE_NOTES.flatMap((kind) => makeNote(kind, host));
}

/**
 * @param {string} kind
 * @param {HostState} host
 * @returns {Note[]} one, or none
 */
function makeNote(kind, host) {
  const note = HOST_FACTS.flatMap(({ notes = [] }) => notes).find((each) => each.kind === kind);
  const text = note?.text(host) ?? null;
  return text === null ? [] : [{ kind, text }];
}

/** @param {HostState} host */
function isGoverned({ environment: { governor } }) {
  return governor !== null && governor !== 'performance';
}

/** @param {HostState} host */
function isSlowClock({ environment: { clockSource } }) {
  return clockSource !== null && !FAST_CLOCKS.includes(clockSource);
}

/** @param {HostState} host */
function isLoaded({ environment: { loadAverage, cpuCount } }) {
  return loadAverage > MAX_LOAD_PER_CPU * cpuCount;
}

/** @param {HostState} host */
function isWaiting({ environment: { cpuPressure } }) {
  return cpuPressure !== null && cpuPressure > MAX_PRESSURE;
}

/** @param {HostState} host */
function isBusy(host) {
  return isLoaded(host) || isWaiting(host);
}

/** @param {HostState} host */
function hasOthers({ hostNoise, thresholds }) {
  return (hostNoise?.othersShare ?? 0) > thresholds.othersShare;
}

/** @param {HostState} host */
function describeLoad(host) {
  const { loadAverage, cpuCount, cpuPressure } = host.environment;
  if (!isBusy(host)) return null;
  const signs = [
    ...(isLoaded(host) ? [`load ${loadAverage.toFixed(1)} on ${countOf(cpuCount, 'CPU')}`] : []),
    ...(isWaiting(host)
      ? [`tasks waited for a CPU during ${formatRoughShare(cpuPressure ?? 0)} of ten seconds`]
      : []),
  ];
  return `The machine was busy before the first job: ${signs.join(', ')}.`;
}

/** @param {HostState} host */
function describeThrottling({ environment: { cgroupCpuLimit: limit, throttledPeriods } }) {
  if (limit === null || !throttledPeriods) return null;
  return `The control group's limit of ${limit} ${nameCpus(limit)} held processes back in ${countOf(throttledPeriods, 'period')} before the first job, and may hold jobs back too.`;
}

/** @param {number} count which may be a fraction */
function nameCpus(count) {
  return count === 1 ? 'CPU' : 'CPUs';
}

/** @param {boolean | null} value */
function nameSwitch(value) {
  if (value === null) return null;
  return value ? 'on' : 'off';
}

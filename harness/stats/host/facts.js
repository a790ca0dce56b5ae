import { countOf, formatRoughShare } from '../../lib/numbers.js';
import {
  MAX_DISTURBED_SHARE,
  MAX_LOAD_PER_CPU,
  MAX_PRESSURE,
  USUAL_THRESHOLDS,
  hasOthers,
  isGoverned,
  isLoaded,
  isSlowClock,
  isWaiting,
  nameCpus,
} from './state.js';

/** @import { Diagnosis } from '../../formats/types.ts' */
/** @import { HostState } from './state.js' */

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
 * Something that figures from a host may depend on, as `just doctor` prints it.
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
 */

const STOP_OTHERS = 'Stop other programs (see top), or wait for them to end.';
const WATCH_NEIGHBOURS = 'Check steal and the shared core below.';
const DISTURBED_NOW =
  'A fixed loop of arithmetic was timed for half a second: this share of its readings was slower than its undisturbed speed.';

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
  },
  {
    name: 'turbo',
    value: ({ environment }) => nameSwitch(environment.turbo),
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
      'Each core runs two threads: a neighbour on the core of a job takes up to half of it, and no counter shows that.',
    advice: 'echo off | sudo tee /sys/devices/system/cpu/smt/control',
  },
  {
    name: 'virtualisation',
    value: ({ environment }) => environment.virtualization ?? 'none found',
    isNoted: ({ environment }) => environment.virtualization !== null,
    fine: 'No hypervisor or container was found.',
    noted: ({ environment }) =>
      CONTAINERS.includes(environment.virtualization ?? '')
        ? 'A container shares the processor with everything else on its host, and can see little of it.'
        : 'A hypervisor divides the processor among its machines, and may run neighbours on the same core.',
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
    advice: 'Measure at another time, or on a machine with dedicated cores.',
  },
  {
    name: 'load',
    value: ({ environment }) => environment.loadAverage.toFixed(1),
    isNoted: isLoaded,
    fine: ({ environment: { cpuCount } }) =>
      `Tasks that ran or waited, over the last minute; above ${(MAX_LOAD_PER_CPU * cpuCount).toFixed(1)} a machine with ${countOf(cpuCount, 'CPU')} is not idle.`,
    advice: STOP_OTHERS,
  },
  {
    name: 'runnable',
    value: ({ environment: { runnableProcesses } }) =>
      runnableProcesses === null ? null : String(runnableProcesses),
    unknown: 'How many processes are runnable is unknown.',
    isNoted: ({ environment }) => (environment.runnableProcesses ?? 0) >= environment.cpuCount,
    fine: 'Other processes that were runnable at this moment; a job needs a CPU for itself.',
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
    unknown: 'Whether the kernel divides CPU time by session is unknown.',
    isNoted: ({ environment, canRaisePriority }) =>
      environment.autogroup === true && canRaisePriority === false,
    fine: ({ environment }) =>
      environment.autogroup
        ? 'The kernel divides CPU time by session, so nice has no effect between sessions; jobs raise the priority of their session where permitted.'
        : 'A job competes with every other process on equal terms; its priority is not raised.',
    advice: 'Only root may raise it: run as root on a busy machine.',
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
  },
  {
    name: 'clock source',
    value: ({ environment }) => environment.clockSource,
    unknown: 'Which clock the time is read from is unknown.',
    isNoted: isSlowClock,
    fine: 'Reading the time takes nanoseconds, without a system call.',
    noted: 'Each reading of the time is a system call and takes a microsecond or more.',
    advice: 'Boot with clocksource=tsc, if the processor has a reliable one.',
  },
  {
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
  {
    name: 'Node',
    value: ({ environment }) => `${environment.node}, V8 ${environment.v8}`,
    fine: 'Runs Assay and its jobs; --runtime measures under others, --node-flag passes flags to jobs.',
  },
  {
    name: 'variables',
    value: ({ environment }) => environment.nodeVariables.join(', ') || 'none',
    isNoted: ({ environment }) => environment.nodeVariables.length > 0,
    fine: 'No variable that changes how Node runs is set, such as NODE_OPTIONS.',
    noted: 'Set here but not passed on to workers, because they would change what is measured.',
    advice: 'To measure under flags, use --node-flag.',
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

/** @param {boolean | null} value */
function nameSwitch(value) {
  if (value === null) return null;
  return value ? 'on' : 'off';
}

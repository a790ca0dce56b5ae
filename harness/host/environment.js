import { execFileSync } from 'node:child_process';
import os from 'node:os';
import {
  citeCalibration,
  readCalibrationRecord,
  applyCalibration,
  preferredSchedule,
} from './calibration-record.js';
import { diagnoseHost } from '../stats/host/host.js';
import {
  openHostFiles,
  probePriority,
  readControlGroup,
  readCpuTicks,
  watchProcessor,
} from './counters.js';
import { splitProcessStat } from './processes.js';

/** @import { CalibrationRecord, Conditions, Environment, HostExamination, HostIdentity } from '../formats/types.ts' */
/** @import { HostFiles } from './counters.js' */

const CPUS = '/sys/devices/system/cpu';

/** Variables that change how Node runs or where its memory lies. */
const NODE_VARIABLES = [
  'LD_PRELOAD',
  'MALLOC_ARENA_MAX',
  'NODE_COMPILE_CACHE',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_PENDING_DEPRECATION',
  'NODE_V8_COVERAGE',
  'UV_THREADPOOL_SIZE',
  'UV_USE_IO_URING',
];

/**
 * Fingerprint of the host and what may disturb a measurement there. What is unknown is `null`.
 *
 * @param {object} [outside]
 * @param {Record<string, string | undefined>} [outside.variables] environment of the user, of which only
 *   names are kept
 * @param {HostFiles} [outside.files]
 * @returns {Environment}
 */
export function identifyEnvironment({ variables = {}, files = openHostFiles() } = {}) {
  const { node, kernel, cpuModel, cpuCount } = identifyHost();
  const { readFlag, readNumber, readText } = files;
  const { cpuLimit, throttledPeriods } = readControlGroup(files);
  return {
    node,
    v8: process.versions.v8,
    os: readOsName(files),
    kernel,
    arch: process.arch,
    cpuModel,
    cpuCount,
    memoryBytes: os.totalmem(),
    virtualization: readVirtualization(files),
    governor: readText(`${CPUS}/cpu0/cpufreq/scaling_governor`),
    autogroup: readFlag('/proc/sys/kernel/sched_autogroup_enabled'),
    cgroupCpuLimit: cpuLimit,
    loadAverage: os.loadavg()[0],
    runnableProcesses: countOtherRunnable(files),
    smt: readFlag(`${CPUS}/smt/active`),
    turbo: readTurbo(files),
    clockSource: readText('/sys/devices/system/clocksource/clocksource0/current_clocksource'),
    aslr: readNumber('/proc/sys/kernel/randomize_va_space'),
    cpuPressure: readCpuPressure(files),
    throttledPeriods,
    stealShare: readStealShare(files),
    nodeVariables: NODE_VARIABLES.filter((name) => (variables[name] ?? '') !== ''),
  };
}

/** @returns {HostIdentity} what a calibration record recognizes this host by */
export function identifyHost() {
  return {
    node: process.versions.node,
    cpuModel: os.cpus()[0]?.model.trim() ?? 'unknown',
    cpuCount: os.availableParallelism(),
    kernel: os.release(),
  };
}

/** @param {HostFiles} files */
function readOsName({ readText }) {
  const release = readText('/etc/os-release');
  return /^PRETTY_NAME="?([^"\n]*)/m.exec(release ?? '')?.[1] ?? os.type();
}

/** What a program says of this host, which it says once in a process. @type {string | null | undefined} */
let virtualization;

/** @param {HostFiles} files */
function readVirtualization({ readText }) {
  if (virtualization === undefined) virtualization = askVirtualization();
  if (virtualization !== null) return virtualization;
  return /\bhypervisor\b/.test(readText('/proc/cpuinfo') ?? '') ? 'virtual machine' : null;
}

/** @returns {string | null} null without that program */
function askVirtualization() {
  try {
    const name = execFileSync('systemd-detect-virt', [], {
      encoding: 'utf8',
      timeout: 1000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return name.trim();
  } catch {
    return null;
  }
}

/**
 * Intel's driver has a switch that forbids turbo, all others one that allows it.
 *
 * @param {HostFiles} files
 */
function readTurbo({ readFlag }) {
  const isForbidden = readFlag(`${CPUS}/intel_pstate/no_turbo`);
  return isForbidden === null ? readFlag(`${CPUS}/cpufreq/boost`) : !isForbidden;
}

/** @param {HostFiles} files */
function readCpuPressure({ readText }) {
  const match = /^some avg10=([\d.]+)/m.exec(readText('/proc/pressure/cpu') ?? '');
  return match === null ? null : Math.round(Number(match[1]) * 100) / 1e4;
}

/** @param {HostFiles} files */
function readStealShare(files) {
  const ticks = readCpuTicks(files);
  return ticks === null || ticks.totalTicks === 0 ? null : ticks.stealTicks / ticks.totalTicks;
}

/** Processes other than this one that want a CPU at this moment. @param {HostFiles} files */
function countOtherRunnable({ listNames, readText }) {
  const names = listNames('/proc').filter((name) => /^\d+$/.test(name));
  if (names.length === 0) return null;
  const states = names
    .filter((name) => Number(name) !== process.pid)
    .map((pid) => splitProcessStat(readText(`/proc/${pid}/stat`) ?? '')[0]);
  return states.filter((state) => state === 'R').length;
}

/** How long the processor is watched; `stats/host/facts.js` mentions it. */
const WATCH_MS = 500;
const DAY_MS = 86_400_000;

/**
 * Examines this host as it is now, for `just doctor`.
 *
 * @param {Record<string, string | undefined>} variables environment of the user
 * @param {CalibrationRecord | null} [record] of the last calibration
 * @returns {Promise<HostExamination>}
 */
export async function examineHost(variables, record = readCalibrationRecord()) {
  const environment = identifyEnvironment({ variables });
  const { hostNoise, disturbedShare } = watchProcessor(WATCH_MS);
  const canRaisePriority = await probePriority();
  /** @type {Conditions} */
  const conditions = record?.modes.find(({ mode }) => mode === 'default') ?? { mode: 'default' };
  const calibrated = applyCalibration(record, { ...conditions, environment });
  const diagnoses = diagnoseHost({
    environment,
    hostNoise,
    canRaisePriority,
    disturbedShare,
    ...(calibrated === null ? {} : { thresholds: calibrated.thresholds }),
  });
  return {
    environment,
    hostNoise,
    diagnoses,
    calibrations: citeEachMode(record, environment),
    schedule: preferredSchedule(record, environment),
  };
}

/**
 * @param {CalibrationRecord | null} record
 * @param {HostExamination['environment']} environment
 * @returns {HostExamination['calibrations']}
 */
function citeEachMode(record, environment) {
  if (record === null) return [];
  const ageDays = (Date.now() - Date.parse(record.createdAt)) / DAY_MS;
  return record.modes.map(({ falsePositives: _, detectable: __, ...conditions }) => ({
    ...conditions,
    ...citeCalibration(record, { ...conditions, environment, ageDays }),
  }));
}

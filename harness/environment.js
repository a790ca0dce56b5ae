import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import os from 'node:os';

/** @import { Environment, HostNoise } from './types.ts' */

/**
 * Fingerprint of the host and what may disturb a measurement there. What a host does not tell is
 * `null`.
 *
 * @returns {Environment}
 */
export function describeEnvironment() {
  const cpus = os.cpus();
  return {
    node: process.versions.node,
    v8: process.versions.v8,
    os: readOsName(),
    kernel: os.release(),
    arch: process.arch,
    cpuModel: cpus[0]?.model.trim() ?? 'unknown',
    cpuCount: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    virtualization: readVirtualization(),
    governor: readText('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'),
    autogroup: readFlag('/proc/sys/kernel/sched_autogroup_enabled'),
    cgroupCpuLimit: readCgroupLimit(),
    loadAverage: os.loadavg()[0],
    runnableProcesses: countOtherRunnable(),
  };
}

/**
 * Reads the counters of the host; two readings tell what disturbed the time between them.
 *
 * @returns {{ totalTicks: number, busyTicks: number, stealTicks: number, ownTicks: number, throttledMs: number | null } | null}
 */
export function readHostCounters() {
  const cpuLine = readText('/proc/stat')?.split('\n')[0];
  const own = readText('/proc/self/stat');
  if (cpuLine === undefined || own === null) return null;
  // user nice system idle iowait irq softirq steal (proc(5)); guest time is part of user time.
  const ticks = cpuLine.trim().split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle, iowait, , , stealTicks = 0] = ticks;
  const totalTicks = ticks.reduce((sum, value) => sum + value, 0);
  // utime, stime and those of children that ended are fields 14 to 17; the name before may have blanks.
  const fields = own.slice(own.lastIndexOf(')') + 2).split(' ');
  const ownTicks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  const busyTicks = totalTicks - idle - iowait - stealTicks;
  return { totalTicks, busyTicks, stealTicks, ownTicks, throttledMs: readThrottledMs() };
}

/**
 * @param {ReturnType<typeof readHostCounters>} before
 * @param {ReturnType<typeof readHostCounters>} after
 * @returns {HostNoise} shares of the CPU time of all cores in between
 */
export function compareHostCounters(before, after) {
  if (before === null || after === null || after.totalTicks <= before.totalTicks) {
    return { stealShare: null, othersShare: null, throttledMs: null };
  }
  const total = after.totalTicks - before.totalTicks;
  const own = after.ownTicks - before.ownTicks;
  const busy = after.busyTicks - before.busyTicks;
  return {
    stealShare: (after.stealTicks - before.stealTicks) / total,
    othersShare: Math.max(0, busy - own) / total,
    throttledMs:
      before.throttledMs === null || after.throttledMs === null
        ? null
        : after.throttledMs - before.throttledMs,
  };
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** @param {string} path */
function readFlag(path) {
  const text = readText(path);
  return text === null ? null : text !== '0';
}

function readOsName() {
  const release = readText('/etc/os-release');
  return /^PRETTY_NAME="?([^"\n]*)/m.exec(release ?? '')?.[1] ?? os.type();
}

function readVirtualization() {
  try {
    const name = execFileSync('systemd-detect-virt', [], {
      encoding: 'utf8',
      timeout: 1000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return name.trim();
  } catch {
    return /\bhypervisor\b/.test(readText('/proc/cpuinfo') ?? '') ? 'virtual machine' : null;
  }
}

/** CPUs that the cgroup may use; null without a limit (cgroup v2 cpu.max). */
function readCgroupLimit() {
  const [quota, period] = (readText('/sys/fs/cgroup/cpu.max') ?? '').split(' ');
  return quota === '' || quota === 'max' ? null : Number(quota) / Number(period);
}

function readThrottledMs() {
  const match = /^throttled_usec (\d+)/m.exec(readText('/sys/fs/cgroup/cpu.stat') ?? '');
  return match === null ? null : Number(match[1]) / 1000;
}

/** Processes other than this one that want a CPU at this moment. */
function countOtherRunnable() {
  try {
    const states = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map((pid) => readText(`/proc/${pid}/stat`) ?? '')
      .map((stat) => stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3));
    return states.filter((state) => state === 'R').length;
  } catch {
    return null;
  }
}

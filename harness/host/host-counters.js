import { openHostFiles } from './open-host-files.js';
import { readControlGroup } from './read-control-group.js';

/** @import { HostNoise } from '../formats/types.ts' */
/** @import { HostFiles } from './open-host-files.js' */

/** @typedef {{ totalTicks: number, busyTicks: number, stealTicks: number }} CpuTicks of all cores */
/** @typedef {CpuTicks & { ownTicks: number, throttledMs: number | null }} HostCounters */

/**
 * Reads the counters of the host; two readings tell what disturbed the time between them.
 *
 * @param {HostFiles} [files]
 * @returns {HostCounters | null}
 */
export function readHostCounters(files = openHostFiles()) {
  const ticks = readCpuTicks(files);
  const own = files.readText('/proc/self/stat');
  if (ticks === null || own === null) return null;
  // utime, stime and those of children that ended are fields 14 to 17; the name before may have blanks.
  const fields = own.slice(own.lastIndexOf(')') + 2).split(' ');
  const ownTicks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  return { ...ticks, ownTicks, throttledMs: readControlGroup(files).throttledMs };
}

/**
 * @param {HostFiles} files
 * @returns {CpuTicks | null} since boot
 */
export function readCpuTicks({ readText }) {
  const cpuLine = readText('/proc/stat')?.split('\n')[0];
  if (cpuLine === undefined) return null;
  // user nice system idle iowait irq softirq steal (proc(5)); guest time is part of user time.
  const ticks = cpuLine.trim().split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle, iowait, , , stealTicks = 0] = ticks;
  const totalTicks = ticks.reduce((sum, value) => sum + value, 0);
  return { totalTicks, busyTicks: totalTicks - idle - iowait - stealTicks, stealTicks };
}

/**
 * @param {HostCounters | null} before
 * @param {HostCounters | null} after
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

/**
 * @param {{ noise: HostNoise, ms: number }} first
 * @param {{ noise: HostNoise, ms: number }} second
 * @returns {HostNoise} of both stretches of time; what is known of one alone is that one's
 */
export function joinHostNoise(first, second) {
  const ms = first.ms + second.ms;
  /** @param {'stealShare' | 'othersShare'} share */
  const join = (share) => {
    const [one, other] = [first.noise[share], second.noise[share]];
    if (one === null || other === null) return one ?? other;
    return (one * first.ms + other * second.ms) / ms;
  };
  const throttled = [first, second].flatMap(({ noise }) => noise.throttledMs ?? []);
  return {
    stealShare: join('stealShare'),
    othersShare: join('othersShare'),
    throttledMs: throttled.length === 0 ? null : throttled.reduce((sum, each) => sum + each),
  };
}

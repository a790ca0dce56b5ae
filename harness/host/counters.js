import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import { shareDisturbedReadings } from '../stats/interference.js';
import { splitProcessStat } from './processes.js';
import { makeReferenceLoop } from '../worker/reference-loop.js';

/** @import { HostNoise } from '../formats/types.ts' */

/** @typedef {{ totalTicks: number, busyTicks: number, stealTicks: number }} CpuTicks of all cores */
/** @typedef {CpuTicks & { ownTicks: number, throttledMs: number | null }} HostCounters */

/**
 * Reads the counters of the host; the difference of two readings is the noise between them.
 * @type {(files?: HostFiles) => HostCounters | null}
 */
export function readHostCounters(files = openHostFiles()) {
  const ticks = readCpuTicks(files);
  const own = files.readText('/proc/self/stat');
  if (ticks === null || own === null) return null;
  // Fields 14 to 17: utime and stime, of this process and of its ended children.
  const ownTicks = splitProcessStat(own)
    .slice(11, 15)
    .reduce((sum, value) => sum + Number(value), 0);
  return { ...ticks, ownTicks, throttledMs: readControlGroup(files).throttledMs };
}

/** @param {HostFiles} files @returns {CpuTicks | null} since boot */
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
 * @returns {HostNoise} of both periods; what is unknown for one is that of the other
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

const MOUNT = '/sys/fs/cgroup';

/**
 * The CPU limit of the control group of this process, and how often it held processes back. A group is
 * subject to its own limit and those of its parents; in a container its own is the root.
 *
 * @param {HostFiles} files
 * @returns {{ cpuLimit: number | null, throttledPeriods: number | null, throttledMs: number | null }}
 *   `cpuLimit` in CPUs, null for none; the other two since the group was created, null where unknown
 */
export function readControlGroup(files) {
  const groups = listGroupPaths(files).map((path) => readGroup(files, path));
  const limits = groups.flatMap(({ cpuLimit }) => cpuLimit ?? []);
  return {
    cpuLimit: limits.length === 0 ? null : Math.min(...limits),
    throttledPeriods: addUp(groups.map(({ throttledPeriods }) => throttledPeriods)),
    throttledMs: addUp(groups.map(({ throttledMs }) => throttledMs)),
  };
}

/**
 * @param {HostFiles} files
 * @returns {string[]} directories from the group of this process up to the root
 */
function listGroupPaths({ readText }) {
  const lines = (readText('/proc/self/cgroup') ?? '0::/').split('\n');
  const entries = lines.map((line) => line.split(':'));
  // Version 1 has a tree for each set of controllers; version 2 has one tree that names none.
  const ofCpu =
    entries.find(([, controllers]) => controllers?.split(',').includes('cpu')) ??
    entries.find(([, controllers]) => controllers === '');
  if (ofCpu === undefined) return [];
  const [, controllers, ...rest] = ofCpu;
  const tree = controllers === '' ? MOUNT : `${MOUNT}/${controllers}`;
  const paths = [];
  for (let group = rest.join(':'); group !== '/' && group !== '.'; group = dirname(group)) {
    paths.push(`${tree}${group}`);
  }
  return [...paths, tree];
}

/** @param {HostFiles} files @param {string} path */
function readGroup({ readText, readNumber }, path) {
  const [quota, period] =
    readText(`${path}/cpu.max`)?.split(' ').map(Number) ??
    ['quota', 'period'].map((name) => readNumber(`${path}/cpu.cfs_${name}_us`) ?? NaN);
  const cpuLimit = quota / period;
  const counters = readText(`${path}/cpu.stat`) ?? '';
  const takeCounter = (/** @type {string} */ name) => {
    const match = new RegExp(`^${name} (\\d+)$`, 'm').exec(counters);
    return match === null ? null : Number(match[1]);
  };
  const throttledUs = takeCounter('throttled_usec');
  const throttledNs = takeCounter('throttled_time');
  return {
    // Without a limit the quota is `max` or −1.
    cpuLimit: cpuLimit > 0 ? cpuLimit : null,
    throttledPeriods: takeCounter('nr_throttled'),
    throttledMs: throttledUs === null ? divide(throttledNs, 1e6) : throttledUs / 1e3,
  };
}

/** @param {number | null} value @param {number} by */
function divide(value, by) {
  return value === null ? null : value / by;
}

/** @param {(number | null)[]} values */
function addUp(values) {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/**
 * The files in which Linux describes the host. What is missing, unreadable or on another system is
 * unknown.
 *
 * @typedef {object} HostFiles
 * @property {(path: string) => string | null} readText trimmed
 * @property {(path: string) => number | null} readNumber null also where it is not a number
 * @property {(path: string) => boolean | null} readFlag whether it is anything but 0
 * @property {(path: string) => string[]} listNames entries of a directory; none where it does not exist
 */

/**
 * @param {string} [rootPath] of the file system; tests use a fake one
 * @returns {HostFiles} paths are absolute within the root
 */
export function openHostFiles(rootPath = '/') {
  /** @param {string} path */
  function readText(path) {
    try {
      return readFileSync(join(rootPath, path), 'utf8').trim();
    } catch {
      return null;
    }
  }

  /** @param {string} path */
  function readNumber(path) {
    const text = readText(path);
    const number = Number(text);
    return text === null || text === '' || Number.isNaN(number) ? null : number;
  }

  return {
    readText,
    readNumber,
    readFlag(path) {
      const text = readText(path);
      return text === null ? null : text !== '0';
    },
    listNames(path) {
      try {
        return readdirSync(join(rootPath, path));
      } catch {
        return [];
      }
    },
  };
}

/**
 * Runs the reference loop for a while, and reads the noise of the host meanwhile. Blocks this process.
 *
 * @param {number} forMs
 * @returns {{ hostNoise: HostNoise, disturbedShare: number }} shares 0…1
 */
export function watchProcessor(forMs) {
  const timeReferenceLoop = makeReferenceLoop();
  const before = readHostCounters();
  const endMs = performance.now() + forMs;
  const readings = [timeReferenceLoop()];
  while (performance.now() < endMs) readings.push(timeReferenceLoop());
  return {
    hostNoise: compareHostCounters(before, readHostCounters()),
    disturbedShare: shareDisturbedReadings(readings),
  };
}

/**
 * Tries to raise the priority as a worker does (see `measure-usage.js`), in a separate session so that
 * no other process is affected.
 *
 * @returns {Promise<boolean>} whether it was granted
 */
export function probePriority() {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', 'echo -20 > /proc/self/autogroup'], {
      detached: true,
      stdio: 'ignore',
    });
    child.on('error', () => resolve(false));
    child.on('close', (status) => resolve(status === 0));
  });
}

import { dirname } from 'node:path/posix';

/** @import { HostFiles } from './open-host-files.js' */

const MOUNT = '/sys/fs/cgroup';

/**
 * What the kernel's control group allows this process of the CPUs, and how often that held it back.
 * A group is bound by its own limit and by those of the groups that it lies in; in a container its
 * own lies at the root.
 *
 * @param {HostFiles} files
 * @returns {{ cpuLimit: number | null, throttledPeriods: number | null, throttledMs: number | null }}
 *   `cpuLimit` in CPUs, null for none; the other two since the group was made, null where not known
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
  // Version 1 has a tree for each set of controllers; the one tree of version 2 names none.
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

/**
 * @param {HostFiles} files
 * @param {string} path
 */
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

/**
 * @param {number | null} value
 * @param {number} by
 */
function divide(value, by) {
  return value === null ? null : value / by;
}

/** @param {(number | null)[]} values */
function addUp(values) {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

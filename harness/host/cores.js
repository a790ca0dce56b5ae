import { group } from 'd3-array';
import { MachineError } from '../lib/errors.js';
import { openHostFiles } from './counters.js';
import { findTool } from './tools.js';

/** @import { HostFiles } from './counters.js' */

const CPUS = '/sys/devices/system/cpu';

/**
 * Two equally fast processors on which jobs can run at the same time without sharing a physical core.
 *
 * @param {Record<string, string | undefined>} environment
 * @param {HostFiles} [files]
 * @returns {number[]} numbers of the kernel
 * @throws {MachineError} when this process may not use two such cores, or nothing binds jobs to them
 */
export function findTwoCores(environment, files = openHostFiles()) {
  const remedy = 'measure one job at a time: --schedule sequential';
  if (findTool('taskset', environment) === null) {
    const missing =
      process.platform === 'linux'
        ? 'a paired schedule needs taskset, of util-linux'
        : 'a paired schedule needs Linux, which binds jobs to cores';
    throw new MachineError(missing, { remedy });
  }
  /** @type {Set<number>} */
  const taken = new Set();
  const cores = listAllowed(files).filter((cpu) => {
    if (taken.has(cpu)) return false;
    for (const sibling of listSiblings(cpu, files)) taken.add(sibling);
    return true;
  });
  const byKind = group(cores, (cpu) => readSpeed(cpu, files));
  const alike = [...byKind.values()].find(({ length }) => length >= 2);
  if (alike !== undefined) return alike.slice(0, 2);
  throw new MachineError(
    'a paired schedule needs two physical cores of the same speed, and this process may not use two',
    { remedy },
  );
}

/**
 * Cores for the jobs of a schedule: two if two run next to each other, and otherwise none in particular.
 *
 * @param {{ width: number }} schedule
 * @param {Parameters<typeof findTwoCores>} host
 * @returns {number[] | undefined}
 * @throws {MachineError} as `findTwoCores`
 */
export function findCores({ width }, ...host) {
  return width > 1 ? findTwoCores(...host) : undefined;
}

/**
 * @param {Parameters<typeof findTwoCores>} host
 * @returns {boolean} whether there are two such processors
 */
export function hasTwoCores(...host) {
  try {
    findTwoCores(...host);
    return true;
  } catch (error) {
    if (error instanceof MachineError) return false;
    throw error;
  }
}

/** @type {(files: HostFiles) => number[]} processors that this process may use */
function listAllowed(files) {
  const status = files.readText('/proc/self/status') ?? '';
  return listNumbers(/^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '');
}

/** @type {(cpu: number, files: HostFiles) => number[]} threads of its core, with itself */
function listSiblings(cpu, files) {
  const siblings = files.readText(`${CPUS}/cpu${cpu}/topology/thread_siblings_list`);
  return listNumbers(siblings ?? String(cpu));
}

/** @type {(cpu: number, files: HostFiles) => string | null} in kHz */
function readSpeed(cpu, files) {
  return files.readText(`${CPUS}/cpu${cpu}/cpufreq/cpuinfo_max_freq`);
}

/** @param {string} text `0-3,8` @returns {number[]} */
function listNumbers(text) {
  return text
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

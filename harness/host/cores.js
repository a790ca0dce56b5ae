import { execFileSync } from 'node:child_process';
import { group } from 'd3-array';
import { MachineError, UsageError } from '../lib/errors.js';
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
  requireTaskset(environment, 'a paired schedule', remedy);
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

/**
 * Reads groups of processors that jobs are to be pinned to.
 *
 * @param {string[]} texts `0-3,8` of each group
 * @param {Record<string, string | undefined>} environment
 * @param {HostFiles} [files]
 * @returns {number[][]} numbers of the kernel, ascending
 * @throws {UsageError} for what is no list, a processor that this process may not use, groups that share a physical
 *   core, and processors of different speeds
 * @throws {MachineError} when nothing binds jobs to processors
 */
export function parseCpuGroups(texts, environment, files = openHostFiles()) {
  requireTaskset(environment, '--cpus', 'leave --cpus out');
  const allowed = listAllowed(files);
  const groups = texts.map((text) => {
    const cpus = /^\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*$/.test(text) ? listNumbers(text) : [];
    if (cpus.length === 0) {
      throw new UsageError(`'${text}' is not a list of processors`, {
        remedy: '--cpus takes numbers and ranges, such as 0,1 or 2-3',
      });
    }
    const missing = cpus.find((cpu) => !allowed.includes(cpu));
    if (missing !== undefined) {
      throw new UsageError(`there is no processor ${missing} for this process`, {
        remedy: `--cpus takes some of ${allowed.join(',')}`,
      });
    }
    return [...new Set(cpus)].sort((a, b) => a - b);
  });
  /** @type {Map<number, number[]>} */
  const owners = new Map();
  for (const cpus of groups) {
    for (const cpu of listCores(cpus, files)) {
      const other = owners.get(cpu);
      if (other !== undefined) {
        throw new UsageError(
          `${describeCpus(other)} and ${describeCpus(cpus)} share a physical core`,
          { remedy: 'give each group cores of its own (lscpu --extended lists them)' },
        );
      }
      owners.set(cpu, cpus);
    }
  }
  if (new Set(groups.flat().map((cpu) => readSpeed(cpu, files))).size > 1) {
    throw new UsageError('the processors differ in their maximum speed', {
      remedy: 'use processors of one kind (lscpu --extended lists their speeds)',
    });
  }
  return groups;
}

/**
 * @param {readonly number[]} cpus
 * @param {HostFiles} [files]
 * @returns {number[]} they, and what shares a physical core with one of them
 */
export function listCores(cpus, files = openHostFiles()) {
  return [...new Set(cpus.flatMap((cpu) => [cpu, ...listSiblings(cpu, files)]))];
}

/** @type {(cpus: readonly number[]) => string} `processor 0`, `processors 2,3` */
export function describeCpus(cpus) {
  return `processor${cpus.length === 1 ? '' : 's'} ${cpus.join(',')}`;
}

/**
 * Pins this process with all of its threads, and whatever it starts from now on.
 *
 * @param {readonly number[]} cpus that this process may use
 * @param {Record<string, string | undefined>} environment
 */
export function pinThisProcess(cpus, environment) {
  const taskset = requireTaskset(environment, '--cpus', 'leave --cpus out');
  const args = ['--all-tasks', '--cpu-list', '--pid', cpus.join(','), String(process.pid)];
  execFileSync(taskset, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** @type {(environment: Record<string, string | undefined>, what: string, remedy: string) => string} its path */
function requireTaskset(environment, what, remedy) {
  const path = findTool('taskset', environment);
  if (path !== null) return path;
  throw new MachineError(`${what} needs taskset, of util-linux`, { remedy });
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

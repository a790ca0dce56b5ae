import { closeSync, existsSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findTool } from '../../host/tools.js';
import { MachineError } from '../../lib/errors.js';
import { runWorker } from '../run-worker.js';
import { listJobPaths, wrapCommand } from './sandbox.js';
import { limitResidentBytes } from './watch-memory.js';

/** @import { Job, Sandbox } from '../../formats/types.ts' */
/** @import { WorkerCommand, WorkerOutcome } from '../run-worker.js' */

/**
 * @typedef {object} Confinement
 * @property {Sandbox | null | undefined} sandbox that the worker runs in; none for the bare machine
 * @property {string[]} [wrapper] what comes before the worker, inside of the sandbox
 * @property {string[]} [writes] absolute paths of files that it writes besides those that the job names
 */

/**
 * Runs a job in a process with limits on what it may take, and in a sandbox where there is one.
 *
 * @param {Job} job
 * @param {Omit<WorkerCommand, 'limitBytes'>} command
 * @param {Confinement} confinement
 * @returns {Promise<WorkerOutcome>}
 * @throws {MachineError} when a file that the worker is to write cannot be made
 */
export async function runConfined(job, command, { sandbox, wrapper = [], writes = [] }) {
  const limited = limitResources([...wrapper, command.executable, ...command.args]);
  const limitBytes = limitResidentBytes(job);
  if (sandbox == null) {
    const [executable, ...args] = limited;
    return runWorker(job, { ...command, executable, args, limitBytes });
  }
  const paths = listJobPaths(job);
  const writable = [...paths.writable, ...writes];
  const readable = [...paths.readable, ...findInstallations(command)].filter((path) =>
    existsSync(path),
  );
  const made = makeFiles(writable);
  try {
    const [executable, ...args] = wrapCommand(limited, { readable, writable }, sandbox);
    // Its own /tmp is where it finds one without being told.
    const environment = { ...command.environment, TMPDIR: undefined };
    return await runWorker(job, { ...command, executable, args, environment, limitBytes });
  } finally {
    const isEmpty = (/** @type {string} */ path) =>
      statSync(path, { throwIfNoEntry: false })?.size === 0;
    for (const path of made.filter(isEmpty)) rmSync(path);
  }
}

/**
 * Makes the files that are to be written, since a sandbox lets through only what is there.
 *
 * @param {string[]} paths absolute
 * @returns {string[]} those that were not there
 * @throws {MachineError} when one cannot be made
 */
function makeFiles(paths) {
  return paths.filter((path) => {
    try {
      closeSync(openSync(path, 'ax'));
      return true;
    } catch (cause) {
      if (/** @type {NodeJS.ErrnoException} */ (cause).code === 'EEXIST') return false;
      const { message } = /** @type {Error} */ (cause);
      throw new MachineError(`a worker's file cannot be made: ${message}`, { cause });
    }
  });
}

/**
 * Where an executable lies, with the libraries beside it: a user's own Node or Java may lie at home,
 * which a sandbox hides.
 *
 * @param {Pick<WorkerCommand, 'executable' | 'environment'>} command
 * @returns {string[]} absolute paths, as named and behind symbolic links
 */
function findInstallations({ executable, environment }) {
  const found = executable.includes('/') ? executable : findTool(executable, environment);
  if (found === null) return [];
  return [found, realpathSync(found)].flatMap((path) => {
    const directory = dirname(path);
    if (basename(directory) !== 'bin') return [path];
    return [path, join(dirname(directory), 'lib'), join(dirname(directory), 'conf')];
  });
}

/** Largest file that a worker may write; recordings of profilers have some hundred megabytes. */
const MAX_FILE_BYTES = 4 * 2 ** 30;
/** More than the modules of any variant; node and java take as many as they may. */
const MAX_OPEN_FILES = 4_096;

/** In which POSIX counts the size of files. */
const BLOCK_BYTES = 512;

/**
 * Becomes the worker after setting its limits. One `sh` takes half a millisecond, and less than
 * `prlimit` and `choom`, which do a part of it each. When memory runs out, the kernel is to end the
 * worker, and neither the harness nor what else its user runs. A limit that a system does not know is
 * left out, as the worker can be measured without it.
 */
const SCRIPT = [
  'echo 1000 2>/dev/null >/proc/self/oom_score_adj',
  `ulimit -c 0 2>/dev/null`,
  `ulimit -f ${MAX_FILE_BYTES / BLOCK_BYTES} 2>/dev/null`,
  `ulimit -n ${MAX_OPEN_FILES} 2>/dev/null`,
  'exec "$@"',
].join('\n');

/**
 * The command line that runs a command with limits on what it may take: no core files, files of up to
 * 4 GiB, 4096 open files. Neither the address space nor the number of processes is limited: V8 and
 * Java reserve far more space than they use, and the kernel counts the processes of the whole user.
 *
 * @param {string[]} words the command: an executable and its arguments
 * @returns {string[]}
 */
export function limitResources(words) {
  if (process.platform === 'win32') return words;
  return ['/bin/sh', '-c', SCRIPT, 'worker', ...words];
}

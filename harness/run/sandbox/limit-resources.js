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

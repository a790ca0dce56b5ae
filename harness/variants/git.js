import { spawnSync } from 'node:child_process';
import { MachineError } from '../lib/errors.js';
import { pickVariables } from '../host/pick-variables.js';

const TIMEOUT_MS = 120_000;
/** Longest output, which is the difference of a working tree to its commit. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Nothing that a checkout brings along or is set up with runs: no hooks, no file watcher. */
const SAFE_SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];

/**
 * Runs git, and expects it to succeed.
 *
 * @param {string} directory absolute path, where it runs
 * @param {string[]} args
 * @param {{ isOwn?: boolean }} [options] `isOwn`: in a repository that Assay made, where the user's
 *   own settings do not count, which might have filters that run on what is checked out
 * @returns {string} what it says, without the last line feed
 * @throws {MachineError} when it fails or is not there
 */
export function runGit(directory, args, options = {}) {
  const { status, stdout, stderr } = spawnGit(directory, args, options);
  if (status === 0) return stdout;
  throw new MachineError(`git ${args[0]} failed in '${directory}': ${lastLine(stderr)}`);
}

/**
 * Asks git something that it may have no answer to.
 *
 * @param {string} directory absolute path, where it runs
 * @param {string[]} args
 * @returns {string | null} what it says, without the last line feed; null where it fails
 * @throws {MachineError} when git is not there
 */
export function askGit(directory, args) {
  const { status, stdout } = spawnGit(directory, args, {});
  return status === 0 ? stdout : null;
}

/**
 * @param {string} directory
 * @param {string[]} args
 * @param {{ isOwn?: boolean }} options
 * @returns {{ status: number | null, stdout: string, stderr: string }}
 */
function spawnGit(directory, args, { isOwn = false }) {
  // A variable like GIT_DIR, which is set where git itself runs Assay, would name another repository.
  const env = {
    ...pickVariables(process.env),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    ...(isOwn ? { GIT_CONFIG_GLOBAL: '/dev/null' } : {}),
  };
  const { error, status, stdout, stderr } = spawnSync(
    'git',
    ['-C', directory, ...SAFE_SETTINGS, ...args],
    { env, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES },
  );
  if (error === undefined) return { status, stdout: stdout.replace(/\n$/, ''), stderr };
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') {
    throw new MachineError('git is not there', { cause: error, remedy: 'install git' });
  }
  throw new MachineError(`git ${args[0]} was ended in '${directory}': ${error.message}`, {
    cause: error,
  });
}

/** @param {string} text */
function lastLine(text) {
  return text.trimEnd().split('\n').at(-1) ?? 'no message';
}

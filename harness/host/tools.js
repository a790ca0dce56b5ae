import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { MachineError } from '../lib/errors.js';
import { findReason } from '../lib/failures.js';
import { omitUndefined } from '../lib/records.js';
import { killGroup, pickVariables, waitForGroup } from './processes.js';

/** `perf script` prints some megabytes. */
const MAX_OUTPUT_BYTES = 256e6;

/**
 * @typedef {object} ToolSettings
 * @property {Record<string, string | undefined>} environment of the harness, which is filtered
 * @property {Record<string, string>} [variables] added to it
 * @property {number} timeoutMs
 * @property {string} [workingPath]
 * @property {AbortSignal} [signal] kills the tool
 */

/**
 * @typedef {object} ToolOutcome
 * @property {number | null} status null where the tool did not start or was killed
 * @property {string} stdout
 * @property {string} stderr or the reason why it did not start
 */

/** @type {Readonly<ToolOutcome>} */
const NOT_STARTED = Object.freeze({ status: null, stdout: '', stderr: 'was interrupted' });

/**
 * Runs a tool in a separate process group and waits for the whole group. Its language is English, so that its output can be parsed.
 * @type {(executable: string, args: string[], settings: ToolSettings) => Promise<ToolOutcome>}
 */
export async function tryTool(executable, args, settings) {
  const { environment, variables, timeoutMs, workingPath, signal } = settings;
  // A process that has just started may not be in its group yet and would survive the signal.
  if (signal?.aborted) return NOT_STARTED;
  const child = spawn(executable, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...pickVariables(environment), LC_ALL: 'C.UTF-8', ...variables },
    ...omitUndefined({ cwd: workingPath }),
  });
  const onOverflow = () => killGroup(child.pid, 'SIGKILL');
  const stdout = collect(child.stdout, onOverflow);
  const stderr = collect(child.stderr, onOverflow);
  const { status, error } = await waitForGroup(child, { timeoutMs, signal });
  return { status, stdout: stdout(), stderr: error?.message ?? stderr() };
}

/**
 * Runs a tool that has to succeed.
 *
 * @param {string} executable
 * @param {string[]} args
 * @param {ToolSettings & { name?: string }} settings `name` in messages, by default that of the program
 * @returns {Promise<ToolOutcome>}
 * @throws {MachineError} with the reason that it printed, when it fails
 */
export async function runTool(executable, args, settings) {
  const startMs = performance.now();
  const outcome = await tryTool(executable, args, settings);
  if (outcome.status === 0) return outcome;
  const tooLong = outcome.status === null && performance.now() - startMs >= settings.timeoutMs;
  const why = tooLong
    ? `did not end within ${settings.timeoutMs / 1000} s`
    : findReason(`${outcome.stdout}\n${outcome.stderr}`);
  throw new MachineError(`${settings.name ?? basename(executable)} failed: ${why}`);
}

/**
 * @param {NodeJS.ReadableStream} stream
 * @param {() => void} onOverflow
 * @returns {() => string} the output so far
 */
function collect(stream, onOverflow) {
  /** @type {Buffer[]} */
  const chunks = [];
  let received = 0;
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    received += chunk.length;
    if (received > MAX_OUTPUT_BYTES) onOverflow();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

/**
 * Finds a program in the PATH.
 *
 * @param {string} name of the program
 * @param {Record<string, string | undefined>} environment
 * @returns {string | null} absolute path; null where it is not found
 */
export function findTool(name, { PATH = '' }) {
  const paths = PATH.split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, name));
  return paths.find(isProgram) ?? null;
}

/**
 * How a package of Debian is installed; null on other systems, which have it under another name or not at all.
 * @type {(packageName: string) => string | null}
 */
export function installWith(packageName) {
  return process.platform === 'linux' ? `apt-get install ${packageName}` : null;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

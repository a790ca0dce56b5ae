import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { MachineError } from '../lib/errors.js';
import { killGroup, pickVariables, superviseExit } from './processes.js';

/** The text of `perf script` has some megabytes. */
const MAX_OUTPUT_BYTES = 256e6;
const MAX_LINE_LENGTH = 300;
/** How errors of JavaScript and of many programs begin, before their stack. */
const ERROR_LINE = /^\s*(?:uncaught )?(?:\w*error)(?: \[\w+\])?: .+$/im;

/**
 * @typedef {object} ToolSettings
 * @property {Record<string, string | undefined>} environment of the harness; filtered here
 * @property {Record<string, string>} [variables] seen by the tool beside those
 * @property {number} timeoutMs
 * @property {string} [workingPath]
 * @property {AbortSignal} [signal] ends the tool
 */

/**
 * @typedef {object} ToolOutcome
 * @property {number | null} status null where the tool could not start or was ended
 * @property {string} stdout
 * @property {string} stderr or why it did not start
 */

/** @type {Readonly<ToolOutcome>} */
const NOT_STARTED = Object.freeze({ status: null, stdout: '', stderr: 'was interrupted' });

/**
 * Runs a tool and all that it starts, in a process group of its own, to their end. It speaks English
 * whatever the user's language, so that it can be understood.
 *
 * @param {string} executable
 * @param {string[]} args
 * @param {ToolSettings} settings
 * @returns {Promise<ToolOutcome>}
 */
export function tryTool(executable, args, settings) {
  const { environment, variables, timeoutMs, workingPath, signal } = settings;
  // What has just been started may not be in its group yet, and would go on to its end.
  if (signal?.aborted) return Promise.resolve(NOT_STARTED);
  return new Promise((resolve) => {
    const child = spawn(executable, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...pickVariables(environment), LC_ALL: 'C.UTF-8', ...variables },
      ...(workingPath === undefined ? {} : { cwd: workingPath }),
    });
    const endTool = () => killGroup(child.pid, 'SIGKILL');
    const stdout = collect(child.stdout, endTool);
    const stderr = collect(child.stderr, endTool);
    const timeout = setTimeout(endTool, timeoutMs);
    signal?.addEventListener('abort', endTool);
    /** @param {number | null} status  @param {string} [why] */
    const finish = (status, why) => {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', endTool);
      resolve({ status, stdout: stdout(), stderr: why ?? stderr() });
    };
    child.on('error', (error) => finish(null, error.message));
    superviseExit(child);
    child.on('close', (status) => finish(status));
  });
}

/**
 * Runs a tool that is expected to succeed.
 *
 * @param {string} executable
 * @param {string[]} args
 * @param {ToolSettings & { name?: string }} settings `name` for messages; that of the program
 * @returns {Promise<ToolOutcome>}
 * @throws {MachineError} with the last that it said, when it fails
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
 * Why a program failed, from what it printed: the line that names an error, else its last one.
 *
 * @param {string} text
 * @returns {string} one line, shortened
 */
export function findReason(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const line = ERROR_LINE.exec(text)?.[0] ?? lines[lines.length - 1] ?? 'it does not say why';
  return line.trim().slice(0, MAX_LINE_LENGTH);
}

/**
 * @param {NodeJS.ReadableStream} stream
 * @param {() => void} onOverflow
 * @returns {() => string} what came so far
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
 * Finds a program as a shell would.
 *
 * @param {string} name of the program
 * @param {Record<string, string | undefined>} environment
 * @returns {string | null} absolute path; null where no directory of the PATH has it
 */
export function findTool(name, { PATH = '' }) {
  const paths = PATH.split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, name));
  return paths.find(isProgram) ?? null;
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

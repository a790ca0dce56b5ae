/** Runs the commands of a build. */

import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { pickVariables, waitForGroup } from '../host/processes.js';

/** @import { GroupEnd } from '../host/processes.js' */

const TIMEOUT_MS = 60 * 60_000;
/** Length of the end of a log that is kept. */
const MAX_LOG_CHARACTERS = 16_384;
/** Lines quoted from the start, often the cause, and from the end. */
const FIRST_LINES = 4;
const LAST_LINES = 8;
const MAX_LINE_CHARACTERS = 300;

/** Network settings of npm and yarn. Variables with tokens are excluded; package managers read tokens from their own files. */
const NETWORK_VARIABLES =
  /^(?:(?:https?|all|no)_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|npm_config_(?:registry|cache|userconfig|globalconfig|proxy|https_proxy|noproxy|cafile|strict_ssl|offline|prefer_offline|fetch_\w+)|yarn_(?:registry|npm_registry_server|cache_folder|global_folder|https?_proxy|https_ca_file_path))$/i;

/**
 * @typedef {{ detail: string, lines: string[] }} BuildFailure `detail`: `ended with exit status 1`;
 *   `lines`: excerpt of its output
 */

/**
 * Runs a shell command with limits on its time and on its log.
 *
 * @param {string} command
 * @param {string} directory absolute path, where it runs
 * @param {{ signal?: AbortSignal | undefined, timeoutMs?: number }} [options] `signal` cancels it
 * @returns {Promise<BuildFailure | null>} null on success
 */
export async function runBuildCommand(command, directory, { signal, timeoutMs = TIMEOUT_MS } = {}) {
  const child = spawn(command, {
    shell: true,
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: pickBuildVariables(process.env),
  });
  let log = '';
  /** @param {Buffer} chunk */
  const keep = (chunk) => {
    log = (log + chunk.toString('utf8')).slice(-MAX_LOG_CHARACTERS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const detail = describeEnd(await waitForGroup(child, { timeoutMs, signal }), timeoutMs);
  return detail === null ? null : { detail, lines: quoteLog(log) };
}

/** @type {(end: GroupEnd, timeoutMs: number) => string | null} null on success */
function describeEnd({ status, signal, killedFor, error }, timeoutMs) {
  if (error !== null) return `could not start: ${error.message}`;
  if (killedFor === 'timeout') return `timed out after ${timeoutMs / 1000} s`;
  if (killedFor === 'interrupt') return 'was interrupted';
  if (signal !== null) return `was terminated by ${signal}`;
  return status === 0 ? null : `ended with exit status ${status}`;
}

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string>} the variables that a build inherits
 */
export function pickBuildVariables(environment) {
  const picked = pickVariables(environment);
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && NETWORK_VARIABLES.test(name)) picked[name] = value;
  }
  return picked;
}

/**
 * Excerpt of the log of a failed build.
 * @type {(log: string) => string[]} lines from its start and its end
 */
export function quoteLog(log) {
  const lines = stripVTControlCharacters(log)
    .split(/[\r\n]+/)
    .map((line) => line.trimEnd().slice(0, MAX_LINE_CHARACTERS))
    .filter((line) => line !== '' && line !== 'npm error');
  if (lines.length <= FIRST_LINES + LAST_LINES) return lines;
  return [...lines.slice(0, FIRST_LINES), '…', ...lines.slice(-LAST_LINES)];
}

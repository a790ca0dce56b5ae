import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { killGroup } from '../host/kill-group.js';
import { pickVariables } from '../host/pick-variables.js';
import { watchEnd } from '../host/watch-end.js';

const TIMEOUT_MS = 10 * 60_000;
/** How much of what a build says is kept, from its end. */
const MAX_LOG_CHARACTERS = 16_384;
/** Lines from its beginning, where the cause often is, and from its end. */
const FIRST_LINES = 4;
const LAST_LINES = 8;
const MAX_LINE_CHARACTERS = 300;

/** What npm needs to reach its registry the way the user does. No variable with a token is among
 * them; npm itself reads those of its own files. */
const NETWORK_VARIABLES =
  /^(?:(?:https?|all|no)_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|npm_config_(?:registry|cache|userconfig|globalconfig|proxy|https_proxy|noproxy|cafile|strict_ssl|offline|prefer_offline|fetch_\w+))$/i;

/**
 * @typedef {{ detail: string, lines: string[] }} BuildFailure `detail`: `ended with exit status 1`;
 *   `lines`: of what it said
 */

/**
 * Runs a shell command that builds something, with limits on its time and on what is kept of its log.
 *
 * @param {string} command
 * @param {string} directory absolute path, where it runs
 * @param {{ signal?: AbortSignal | undefined, timeoutMs?: number }} [options] `signal` ends it
 * @returns {Promise<BuildFailure | null>} null where it succeeded
 */
export function runBuildCommand(command, directory, { signal, timeoutMs = TIMEOUT_MS } = {}) {
  return new Promise((resolve) => {
    // In a group of its own, so that whatever it started ends with it.
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

    /** @type {string | null} */
    let killedFor = null;
    /** @param {string} detail */
    const endBuild = (detail) => {
      killedFor ??= detail;
      killGroup(child.pid, 'SIGKILL');
    };
    const timeout = setTimeout(
      () => endBuild(`did not end within ${timeoutMs / 1000} s and was killed`),
      timeoutMs,
    );
    const interrupt = () => endBuild('was interrupted');
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted === true) interrupt();

    /** @param {string | null} detail */
    const finish = (detail) => {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', interrupt);
      resolve(detail === null ? null : { detail, lines: quoteLog(log) });
    };
    child.on('error', (error) => finish(`could not start: ${error.message}`));
    watchEnd(child);
    child.on('close', (status, ended) => {
      if (killedFor !== null) finish(killedFor);
      else if (ended !== null) finish(`was ended by ${ended}`);
      else finish(status === 0 ? null : `ended with exit status ${status}`);
    });
  });
}

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string>} what a build may see of it
 */
export function pickBuildVariables(environment) {
  const picked = pickVariables(environment);
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && NETWORK_VARIABLES.test(name)) picked[name] = value;
  }
  return picked;
}

/**
 * What is worth showing of the log of a build that failed.
 *
 * @param {string} log
 * @returns {string[]} lines from its beginning and its end
 */
export function quoteLog(log) {
  const lines = stripVTControlCharacters(log)
    .split(/[\r\n]+/)
    .map((line) => line.trimEnd().slice(0, MAX_LINE_CHARACTERS))
    .filter((line) => line !== '' && line !== 'npm error');
  if (lines.length <= FIRST_LINES + LAST_LINES) return lines;
  return [...lines.slice(0, FIRST_LINES), '…', ...lines.slice(-LAST_LINES)];
}

import { spawn } from 'node:child_process';
import { checkReport } from './check-report.js';
import {
  killOrphans,
  killGroup,
  markWorker,
  pickVariables,
  superviseExit,
} from '../host/processes.js';
import { watchMemory } from './sandbox/watch-memory.js';

/** @import { Failure, Job, WorkerReport } from '../formats/types.ts' */

/** Longest report that a worker may write. */
const MAX_REPORT_BYTES = 1_000_000;
/** How much of a worker's log is kept, from its end. */
const MAX_LOG_BYTES = 8_192;
const MAX_LOG_LINES = 20;

/** Time between asking a process to end and ending it. */
const KILL_GRACE_MS = 500;

/**
 * @typedef {object} WorkerCommand
 * @property {string} executable
 * @property {string[]} args
 * @property {Record<string, string | undefined>} environment of the harness; filtered here
 * @property {number} timeoutMs
 * @property {number} [limitBytes] of resident memory; no limit where not given
 * @property {AbortSignal} [signal] kills the worker
 */

/**
 * @typedef {{ workerMs: number, report: WorkerReport } | { workerMs: number, failure: Failure }} WorkerOutcome
 */

/**
 * Runs one job in a process of its own, in a session of its own, and waits for its end.
 *
 * @param {Job} job
 * @param {WorkerCommand} command
 * @returns {Promise<WorkerOutcome>} `workerMs` is the life of the process
 */
export function runWorker(job, command) {
  return new Promise((resolve, reject) => {
    const mark = markWorker();
    const startMs = performance.now();
    const child = spawn(command.executable, command.args, {
      detached: true,
      stdio: 'pipe',
      env: { ...pickVariables(command.environment), ...mark.variables },
    });
    const output = collect(child.stdout, MAX_REPORT_BYTES);
    const log = collect(child.stderr, Infinity);

    /** @type {Failure['reason'] | null} */
    let killedFor = null;
    /** @type {NodeJS.Timeout | undefined} */
    let killTimer;
    /** @param {Failure['reason']} reason */
    const endWorker = (reason) => {
      if (killedFor !== null) return;
      killedFor = reason;
      killGroup(child.pid, 'SIGTERM');
      killTimer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), KILL_GRACE_MS);
    };
    const timeout = setTimeout(() => endWorker('timeout'), command.timeoutMs);
    const { limitBytes = Infinity } = command;
    const endWatch = watchMemory(child.pid, limitBytes, () => endWorker('memory-limit'));
    const interrupt = () => endWorker('signal');
    command.signal?.addEventListener('abort', interrupt);
    output.onOverflow = () => endWorker('output-limit');

    /** @returns {number} life of the process in milliseconds */
    const stopWatching = () => {
      endWatch();
      clearTimeout(timeout);
      clearTimeout(killTimer);
      command.signal?.removeEventListener('abort', interrupt);
      return performance.now() - startMs;
    };
    child.on('error', ({ message: detail }) => {
      const failure = { reason: /** @type {const} */ ('spawn-error'), detail, lastLines: [] };
      resolve({ workerMs: stopWatching(), failure });
    });
    // What a worker left behind would hold its pipes open and disturb the next job.
    superviseExit(child, () => (killedFor ??= 'left-behind'));
    child.on('exit', () => killOrphans(mark));
    child.on('close', (status, signal) => {
      const workerMs = stopWatching();
      const said = { text: output.text(), lastLines: lastLinesOf(log.text()) };
      const failed = describeEnd({ status, signal, killedFor }, command);
      const outcome =
        failed === null
          ? judgeReport(job, said)
          : Promise.resolve({ failure: { ...failed, lastLines: said.lastLines } });
      outcome.then((found) => resolve({ workerMs, ...found }), reject);
    });
    // A worker that dies before it has read its job closes the pipe; its exit says the rest.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(job));
  });
}

/**
 * @param {NodeJS.ReadableStream} stream
 * @param {number} limitBytes calls `onOverflow` beyond it; the newest bytes are kept either way
 */
function collect(stream, limitBytes) {
  let received = 0;
  /** @type {Buffer[]} */
  const chunks = [];
  let kept = 0;
  const keepBytes = Number.isFinite(limitBytes) ? limitBytes : MAX_LOG_BYTES;
  const collector = {
    onOverflow: () => {},
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
  stream.on('data', (/** @type {Buffer} */ chunk) => {
    received += chunk.length;
    chunks.push(chunk);
    kept += chunk.length;
    while (kept - chunks[0].length >= keepBytes)
      kept -= /** @type {Buffer} */ (chunks.shift()).length;
    if (received > limitBytes) collector.onOverflow();
  });
  return collector;
}

/**
 * @param {{ status: number | null, signal: string | null, killedFor: Failure['reason'] | null }} end
 * @param {WorkerCommand} command
 * @returns {Pick<Failure, 'reason' | 'detail'> | null} null where it ended well
 */
function describeEnd({ status, signal, killedFor }, command) {
  if (killedFor !== null) return { reason: killedFor, detail: describeKill(killedFor, command) };
  if (signal !== null) return { reason: 'signal', detail: `ended by ${signal}` };
  if (status === 0) return null;
  return { reason: 'exit-status', detail: `ended with exit status ${status}` };
}

/**
 * @param {Job} job
 * @param {{ text: string, lastLines: string[] }} said by a worker that ended well
 * @returns {Promise<{ report: WorkerReport } | { failure: Failure }>}
 */
async function judgeReport(job, { text, lastLines }) {
  const checked = await checkReport(job, text);
  if ('report' in checked) return checked;
  const prose = checked.reason === 'not-json' ? lastLinesOf(text) : [];
  return { failure: { ...checked, lastLines: [...lastLines, ...prose] } };
}

/**
 * @param {Failure['reason']} reason
 * @param {WorkerCommand} command
 */
function describeKill(reason, { timeoutMs, limitBytes = Infinity }) {
  if (reason === 'timeout') return `did not end within ${timeoutMs / 1000} s and was killed`;
  if (reason === 'memory-limit') {
    return `kept more than ${Math.round(limitBytes / 2 ** 20)} MiB of memory and was killed`;
  }
  if (reason === 'left-behind') return 'left a process behind that holds its output open';
  if (reason === 'output-limit') return `wrote more than ${MAX_REPORT_BYTES} bytes and was killed`;
  return 'was killed because the run was interrupted';
}

/**
 * @param {string} text
 * @returns {string[]}
 */
function lastLinesOf(text) {
  return text
    .split('\n')
    .map((line) => line.trimEnd().slice(0, 300))
    .filter((line) => line !== '')
    .slice(-MAX_LOG_LINES);
}

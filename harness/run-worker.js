import { spawn } from 'node:child_process';
import { endStrays, markWorker } from './end-strays.js';
import { killGroup } from './kill-group.js';
import { watchMemory } from './sandbox/watch-memory.js';
import { showValue } from './schemas/describe-problems.js';
import { watchEnd } from './watch-end.js';

/** @import { Failure, Job, WorkerReport } from './types.ts' */

/** Longest report that a worker may write. */
const MAX_REPORT_BYTES = 1_000_000;
/** How much of a worker's log is kept, from its end. */
const MAX_LOG_BYTES = 8_192;
const MAX_LOG_LINES = 20;

/** Time between asking a process to end and ending it. */
const KILL_GRACE_MS = 500;

/** The only variables that a worker sees. Anything else, NODE_OPTIONS above all, would change what
 * is measured or hand credentials to other people's code. */
const PASSED_VARIABLES = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'SystemRoot'];

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
  return new Promise((resolve) => {
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

    /** @param {Failure | null} failure  @param {WorkerReport} [report] */
    const finish = (failure, report) => {
      endWatch();
      clearTimeout(timeout);
      clearTimeout(killTimer);
      command.signal?.removeEventListener('abort', interrupt);
      const workerMs = performance.now() - startMs;
      if (failure !== null) resolve({ workerMs, failure });
      else resolve({ workerMs, report: /** @type {WorkerReport} */ (report) });
    };
    child.on('error', (error) => {
      finish({ reason: 'spawn-error', detail: error.message, lastLines: [] });
    });
    // What a worker left behind would hold its pipes open and disturb the next job.
    watchEnd(child, () => (killedFor ??= 'left-behind'));
    child.on('exit', () => endStrays(mark));
    child.on('close', (status, signal) => {
      const lastLines = lastLinesOf(log.text());
      if (killedFor !== null) {
        const detail = describeKill(killedFor, command);
        finish({ reason: killedFor, detail, lastLines });
      } else if (signal !== null) {
        finish({ reason: 'signal', detail: `ended by ${signal}`, lastLines });
      } else if (status !== 0) {
        finish({ reason: 'exit-status', detail: `ended with exit status ${status}`, lastLines });
      } else {
        readReport(job, output.text(), lastLines, finish);
      }
    });
    // A worker that dies before it has read its job closes the pipe; its exit says the rest.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(job));
  });
}

/**
 * @param {Job} job
 * @param {string} text
 * @param {string[]} lastLines
 * @param {(failure: Failure | null, report?: WorkerReport) => void} finish
 */
function readReport(job, text, lastLines, finish) {
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    const detail =
      text === '' ? 'wrote no report' : `wrote ${text.length} characters that are not JSON`;
    finish({ reason: 'not-json', detail, lastLines: [...lastLines, ...lastLinesOf(text)] });
    return;
  }
  const problem = findReportProblem(job, report);
  if (problem === null) finish(null, report);
  else finish({ reason: 'bad-report', detail: problem, lastLines });
}

/**
 * What a report must have for its figures to be used. Every timed job passes here, so this is plain
 * code; the published schema says the same and more.
 *
 * @param {Job} job
 * @param {any} report
 * @returns {string | null}
 */
function findReportProblem(job, report) {
  if (report === null || typeof report !== 'object') return 'the report is not an object';
  if (report.formatVersion !== job.formatVersion) {
    return `the report has format ${showValue(report.formatVersion)}, expected ${job.formatVersion}`;
  }
  if (report.jobId !== job.id) return `the report is for job ${showValue(report.jobId)}`;
  if (report.kind !== job.kind) return `the report is of kind ${showValue(report.kind)}`;
  if (job.kind !== 'measure') return null;
  if (typeof report.outputDigest !== 'string') return 'the report has no output digest';
  return findBatchProblem(report.measurement?.batchNsPerDocument, job.settings.batchCount);
}

/**
 * @param {unknown} batches
 * @param {number} wanted
 * @returns {string | null}
 */
function findBatchProblem(batches, wanted) {
  if (!Array.isArray(batches)) return 'the report has no batches';
  if (batches.length !== wanted) return `the report has ${batches.length} batches of ${wanted}`;
  const usable = batches.every((ns) => Number.isFinite(ns) && ns > 0);
  return usable ? null : 'the report has a batch that is no time';
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

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {Record<string, string>} the variables that a process which measures may see
 */
export function pickVariables(environment) {
  /** @type {Record<string, string>} */
  const picked = {};
  for (const name of PASSED_VARIABLES) {
    const value = environment[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

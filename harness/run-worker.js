import { spawn } from 'node:child_process';

/** @import { Failure, Job, WorkerReport } from './types.ts' */

/** Longest report that a worker may write. */
const MAX_REPORT_BYTES = 1_000_000;
/** How much of a worker's log is kept, from its end. */
const MAX_LOG_BYTES = 8_192;
const MAX_LOG_LINES = 20;

/** Time between asking a process to end and ending it. */
const KILL_GRACE_MS = 500;

/** Time that the pipes of a process have to run empty when it has ended. */
const DRAIN_MS = 1_000;

/** The only variables that a worker sees. Anything else, NODE_OPTIONS above all, would change what
 * is measured or hand credentials to other people's code. */
const PASSED_VARIABLES = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'SystemRoot'];

/**
 * @typedef {object} WorkerCommand
 * @property {string} executable
 * @property {string[]} args
 * @property {Record<string, string | undefined>} environment of the harness; filtered here
 * @property {number} timeoutMs
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
    const startMs = performance.now();
    const child = spawn(command.executable, command.args, {
      detached: true,
      stdio: 'pipe',
      env: pickVariables(command.environment),
    });
    const output = collect(child.stdout, MAX_REPORT_BYTES);
    const log = collect(child.stderr, Infinity);

    /** @type {Failure['reason'] | null} */
    let killedFor = null;
    /** @type {NodeJS.Timeout | undefined} */
    let killTimer;
    /** @type {NodeJS.Timeout | undefined} */
    let drainTimer;
    /** @param {Failure['reason']} reason */
    const endWorker = (reason) => {
      if (killedFor !== null) return;
      killedFor = reason;
      killGroup(child.pid, 'SIGTERM');
      killTimer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), KILL_GRACE_MS);
    };
    const timeout = setTimeout(() => endWorker('timeout'), command.timeoutMs);
    const interrupt = () => endWorker('signal');
    command.signal?.addEventListener('abort', interrupt);
    output.onOverflow = () => endWorker('output-limit');

    /** @param {Failure | null} failure  @param {WorkerReport} [report] */
    const finish = (failure, report) => {
      clearTimeout(timeout);
      clearTimeout(killTimer);
      clearTimeout(drainTimer);
      command.signal?.removeEventListener('abort', interrupt);
      const workerMs = performance.now() - startMs;
      if (failure !== null) resolve({ workerMs, failure });
      else resolve({ workerMs, report: /** @type {WorkerReport} */ (report) });
    };
    child.on('error', (error) => {
      finish({ reason: 'spawn-error', detail: error.message, lastLines: [] });
    });
    // A worker that ended may have left children behind, which would hold its pipes open and disturb
    // the next job. One that left the group too cannot be ended here, but it is not waited for.
    child.on('exit', () => {
      killGroup(child.pid, 'SIGKILL');
      drainTimer = setTimeout(() => {
        killedFor ??= 'left-behind';
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
    });
    child.on('close', (status, signal) => {
      const lastLines = lastLinesOf(log.text());
      if (killedFor !== null) {
        const detail = describeKill(killedFor, command.timeoutMs);
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
    return `the report has format ${report.formatVersion}, expected ${job.formatVersion}`;
  }
  if (report.jobId !== job.id) return `the report is for job '${report.jobId}'`;
  if (report.kind !== job.kind) return `the report is of kind '${report.kind}'`;
  if (job.kind !== 'measure') return null;
  if (typeof report.outputDigest !== 'string') return 'the report has no output digest';
  const batches = report.measurement?.batchNsPerDocument;
  const usable =
    Array.isArray(batches) &&
    batches.length > 0 &&
    batches.every((ns) => Number.isFinite(ns) && ns > 0);
  return usable ? null : 'the report has no usable batches';
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
 * @param {number} timeoutMs
 */
function describeKill(reason, timeoutMs) {
  if (reason === 'timeout') return `did not end within ${timeoutMs / 1000} s and was killed`;
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
 * Ends all processes of a group.
 *
 * @param {number | undefined} pid of the leader of a process group
 * @param {NodeJS.Signals} signal
 */
export function killGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left, which is what was wanted.
  }
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

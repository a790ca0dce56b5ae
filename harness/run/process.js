import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { showValue } from '../formats/describe-problems.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { findProblem } from '../formats/schemas.js';
import {
  killGroup,
  killOrphans,
  markWorker,
  noteDescendant,
  pickVariables,
  superviseExit,
} from '../host/processes.js';
import { countOf } from '../lib/numbers.js';
import { figureOf } from '../stats/figure.js';
import { sumOf } from '../stats/means.js';

/** @import { Failure, Job, Measurement, WorkerReport } from '../formats/types.ts' */
/** @import { Figure } from '../stats/figure.js' */

/** Size limit of a report. */
const MAX_REPORT_BYTES = 1_000_000;
/** How much is kept of the end of a worker's log. */
const MAX_LOG_BYTES = 8_192;
const MAX_LOG_LINES = 20;
/** Time between SIGTERM and SIGKILL. */
const KILL_GRACE_MS = 500;

/**
 * @typedef {object} WorkerCommand
 * @property {string} executable
 * @property {string[]} args
 * @property {Record<string, string | undefined>} environment of the harness; filtered here
 * @property {number} timeoutMs
 * @property {number} [limitBytes] of resident memory; no limit by default
 * @property {AbortSignal} [signal] kills the worker
 */

/**
 * @typedef {{ workerMs: number, report: WorkerReport } | { workerMs: number, failure: Failure }} WorkerOutcome
 *   `workerMs` is the lifetime of the process
 */

/**
 * Runs one job in its own process and session, and waits until everything it started has ended.
 * @type {(job: Job, command: WorkerCommand) => Promise<WorkerOutcome>}
 */
export function runWorker(job, command) {
  return new Promise((resolve) => {
    const mark = markWorker();
    const startMs = performance.now();
    const child = spawn(command.executable, command.args, {
      detached: true,
      stdio: 'pipe',
      // Bun and Deno colour errors, which end up in messages.
      env: { ...pickVariables(command.environment), NO_COLOR: '1', ...mark.variables },
    });
    const output = collect(child.stdout, MAX_REPORT_BYTES);
    const log = collect(child.stderr, Infinity);

    /** @type {Failure['reason'] | null} */
    let killedFor = null;
    /** @type {NodeJS.Timeout | undefined} */
    let killTimer;
    /** @param {Failure['reason']} reason */
    const kill = (reason) => {
      if (killedFor !== null) return;
      killedFor = reason;
      // What has no parent any more is not found after the worker has ended.
      if (child.pid !== undefined) sumResidentBytes(child.pid, note);
      killGroup(child.pid, 'SIGTERM');
      killTimer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), KILL_GRACE_MS);
    };
    const timeout = setTimeout(() => kill('timeout'), command.timeoutMs);
    const { limitBytes = Infinity } = command;
    const note = (/** @type {string} */ pid) => noteDescendant(mark, pid);
    const stopMemoryWatch = watchMemory(child.pid, limitBytes, note, () => kill('memory-limit'));
    const interrupt = () => kill('signal');
    command.signal?.addEventListener('abort', interrupt);
    output.onOverflow = () => kill('output-limit');

    /** @returns {number} lifetime of the process in milliseconds */
    const stopWatching = () => {
      stopMemoryWatch();
      clearTimeout(timeout);
      clearTimeout(killTimer);
      command.signal?.removeEventListener('abort', interrupt);
      return performance.now() - startMs;
    };
    child.on('error', ({ message: detail }) => {
      const failure = { reason: /** @type {const} */ ('spawn-error'), detail, lastLines: [] };
      resolve({ workerMs: stopWatching(), failure });
    });
    // An orphan would hold the pipes of the worker open and disturb the next job.
    superviseExit(child, () => (killedFor ??= 'left-behind'));
    child.on('exit', () => killOrphans(mark));
    child.on('close', (status, signal) => {
      const workerMs = stopWatching();
      const said = { text: output.text(), lastLines: lastLinesOf(log.text()), workerMs };
      const failed = explainExit({ status, signal, killedFor }, command);
      const found =
        failed === null
          ? readReport(job, said)
          : { failure: { ...failed, lastLines: said.lastLines } };
      resolve({ workerMs, ...found });
    });
    // A worker that dies before it has read its job closes the pipe; its exit status explains that.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(job));
  });
}

/**
 * @param {NodeJS.ReadableStream} stream
 * @param {number} limitBytes beyond which `onOverflow` is called; the last bytes are kept anyway
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
 * @returns {Pick<Failure, 'reason' | 'detail'> | null} null for a successful exit
 */
function explainExit({ status, signal, killedFor }, command) {
  if (killedFor !== null) return { reason: killedFor, detail: explainKill(killedFor, command) };
  if (signal !== null) return { reason: 'signal', detail: `ended by ${signal}` };
  if (status === 0) return null;
  return { reason: 'exit-status', detail: `ended with exit status ${status}` };
}

/** @param {Failure['reason']} reason @param {WorkerCommand} command */
function explainKill(reason, { timeoutMs, limitBytes = Infinity }) {
  if (reason === 'timeout') return `did not end within ${timeoutMs / 1000} s and was killed`;
  if (reason === 'memory-limit') {
    return `kept more than ${Math.round(limitBytes / 2 ** 20)} MiB of memory and was killed`;
  }
  if (reason === 'left-behind') return 'left a process behind that holds its output open';
  if (reason === 'output-limit') return `wrote more than ${MAX_REPORT_BYTES} bytes and was killed`;
  return 'was killed because the run was interrupted';
}

/** @type {(text: string) => string[]} */
function lastLinesOf(text) {
  return text
    .split('\n')
    .map((line) => line.trimEnd().slice(0, 300))
    .filter((line) => line !== '')
    .slice(-MAX_LOG_LINES);
}

/**
 * Reads the report of a worker that exited successfully. It is kept in the journal, so it must have the
 * format that is read from there later.
 *
 * @param {Job} job
 * @param {{ text: string, lastLines: string[], workerMs: number }} said
 * @returns {{ report: WorkerReport } | { failure: Failure }}
 */
export function readReport(job, { text, lastLines, workerMs }) {
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    const detail =
      text === '' ? 'wrote no report' : `wrote ${text.length} characters that are not JSON`;
    const failure = { reason: /** @type {const} */ ('not-json'), detail };
    return { failure: { ...failure, lastLines: [...lastLines, ...lastLinesOf(text)] } };
  }
  const detail =
    findMismatch(job, report) ??
    findFormProblem(report) ??
    findGap(job, report) ??
    (job.kind === 'measure' ? findImpossible(figureOf(job), { ...report, workerMs }) : null);
  return detail === null ? { report } : { failure: { reason: 'bad-report', detail, lastLines } };
}

/**
 * What the schema cannot know: which job the report answers.
 * @type {(job: Job, report: any) => string | null}
 */
function findMismatch(job, report) {
  if (report === null || typeof report !== 'object') return 'the report is not an object';
  if (report.formatVersion !== job.formatVersion) {
    return `the report has format ${showValue(report.formatVersion)}, expected ${job.formatVersion}`;
  }
  if (report.jobId !== job.id) return `the report is for job ${showValue(report.jobId)}`;
  if (report.kind !== job.kind) return `the report is of kind ${showValue(report.kind)}`;
  return null;
}

/** @type {(report: unknown) => string | null} */
function findFormProblem(report) {
  const problem = findProblem('worker-report', report);
  return problem && `the report is not of format ${FORMAT_VERSION}: ${problem}`;
}

/**
 * Compares the lengths of the lists of a measurement with the number of batches that the job asks for.
 *
 * @param {Job} job
 * @param {WorkerReport} report of the right format
 * @returns {string | null}
 */
function findGap(job, report) {
  if (job.kind !== 'measure' || report.kind !== 'measure') return null;
  const { batchNsPerDocument, batchGcMs, referenceLoopNs } = report.measurement;
  // An operation that measures itself may sum up its batches.
  const wanted = batchNsPerDocument.length === 1 ? 1 : figureOf(job).countBatches(job.settings);
  const batches = countOf(wanted, 'batch', 'batches');
  if (batchNsPerDocument.length !== wanted) {
    return `the report has ${countOf(batchNsPerDocument.length, 'batch', 'batches')} of ${wanted}`;
  }
  if (batchGcMs !== undefined && batchGcMs.length !== wanted) {
    return `the report has ${countOf(batchGcMs.length, 'garbage collection time')} for ${batches}`;
  }
  // One before each batch, and one after the last.
  if (referenceLoopNs === undefined || referenceLoopNs.length === wanted + 1) return null;
  return `the report has ${countOf(referenceLoopNs.length, 'reading')} of the reference loop for ${batches}`;
}

/** The clock of the worker is another one, and may be coarse. */
const CLOCK_SHARE = 1.02;
const CLOCK_MS = 20;

/**
 * Finds times that the process cannot have measured: its parts cannot take longer than the whole. The format refuses
 * times per document that no processor can reach. A worker that lies within these bounds is not found out.
 *
 * @param {Pick<Figure, 'kind'>} figure
 * @param {{ measurement: Measurement, workerMs: number }} observed life of the process in milliseconds
 * @returns {string | null}
 */
export function findImpossible({ kind }, { measurement, workerMs }) {
  const { batchNsPerDocument, documentsPerBatch, wallMs, warmUp } = measurement;
  const maxMs = workerMs * CLOCK_SHARE + CLOCK_MS;
  const batchesMs = (sumOf(batchNsPerDocument) * documentsPerBatch) / 1e6;
  /** @type {[name: string, ms: number][]} */
  const parts = [
    ['its batches took', wallMs],
    ['its warm-up took', warmUp.ms],
    // What an operation measures itself may be the time of several processors.
    ['its times add up to', kind === 'own' ? 0 : batchesMs],
  ];
  for (const [name, ms] of parts) {
    if (ms <= maxMs) continue;
    return `${name} ${Math.round(ms)} ms, and the process lived for ${Math.round(workerMs)} ms`;
  }
  return null;
}

/** A timed job gets one or two samples; a sample takes 0.1 ms on another core. */
const MEMORY_INTERVAL_MS = 500;
/** Linux counts in pages, of 4 KiB on nearly all machines; if they are larger, so is the limit. */
const PAGE_BYTES = 4_096;
/** Processes that are counted at most; a worker usually starts few. */
const MAX_PROCESSES = 1_000;

/**
 * Watches from outside how much resident memory a process and its descendants use. The address space cannot
 * be limited, because V8 and Java reserve far more than they use. A smaller V8 heap is collected at other
 * times, which would change the times of a job.
 *
 * @param {number | undefined} pid
 * @param {number} limitBytes
 * @param {(pid: string) => void} onDescendant called with each, every time
 * @param {() => void} onExcess called once
 * @returns {() => void} stops watching
 */
function watchMemory(pid, limitBytes, onDescendant, onExcess) {
  if (pid === undefined) return () => {};
  const timer = setInterval(() => {
    if (sumResidentBytes(pid, onDescendant) <= limitBytes) return;
    clearInterval(timer);
    onExcess();
  }, MEMORY_INTERVAL_MS);
  return () => clearInterval(timer);
}

/**
 * @param {number} pid
 * @param {(pid: string) => void} [onDescendant] called with each
 * @returns {number} resident bytes of a process and its descendants, shared memory counted for each; 0
 *   if there is no such process, or no `/proc`
 */
export function sumResidentBytes(pid, onDescendant = () => {}) {
  const pending = [String(pid)];
  let pages = 0;
  for (let seen = 0; pending.length > 0 && seen < MAX_PROCESSES; seen++) {
    const one = /** @type {string} */ (pending.pop());
    if (one !== String(pid)) onDescendant(one);
    pages += Number(readWords(`/proc/${one}/statm`)[1] ?? 0);
    pending.push(...listChildren(one));
  }
  return pages * PAGE_BYTES;
}

/** @type {(pid: string) => string[]} children of all its threads; the kernel lists them per thread */
function listChildren(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) => readWords(`/proc/${pid}/task/${thread}/children`));
  } catch {
    return [];
  }
}

/**
 * @param {string} path under `/proc`, which may have disappeared
 * @returns {string[]}
 */
function readWords(path) {
  try {
    return readFileSync(path, 'utf8')
      .split(' ')
      .filter((word) => word.trim() !== '');
  } catch {
    return [];
  }
}

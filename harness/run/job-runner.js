import { totalmem } from 'node:os';
import { isMemoryJob } from '../formats/memory-kinds.js';
import { PROJECT } from '../lib/project.js';
import { runConfined } from './sandbox/confine.js';

/** @import { Cell, Job, JobVariant, MemoryJobKind, ResolvedVariant, Runtime } from '../formats/types.ts' */
/** @import { Session } from './run.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

/** A timed job takes seconds at most; one that takes this long hangs. */
const JOB_TIMEOUT_MS = 30_000;
/** The reference may be slow, and makes its output of every document of a large corpus. */
const OUTPUT_TIMEOUT_MS = 180_000;

/**
 * What runs jobs, each in a fresh process: of the JavaScript worker, or of the program that the
 * variant is measured by.
 *
 * @param {string[]} nodeFlags for timed jobs
 * @param {Pick<Session, 'environment' | 'signal' | 'jobTimeoutMs' | 'sandbox'>} session
 * @param {Runtime[]} [runtimes] for jobs that name another Node
 * @returns {(job: Job) => Promise<WorkerOutcome>}
 */
export function openJobRunner(nodeFlags, session, runtimes = []) {
  const { environment, signal, jobTimeoutMs } = session;
  return function runJob(job) {
    const { flags, timeoutMs } = limitJob(job, nodeFlags);
    const { program } = job.variant;
    const command = {
      executable: program?.executable ?? chooseExecutable(job.node, runtimes),
      args: program?.args ?? [...flags, PROJECT.workerPath],
      environment,
      timeoutMs: jobTimeoutMs ?? timeoutMs,
      signal,
    };
    return runConfined(job, command, { sandbox: session.sandbox });
  };
}

/**
 * @param {Job} job
 * @param {string[]} nodeFlags
 * @returns {{ flags: string[], timeoutMs: number }}
 */
function limitJob(job, nodeFlags) {
  if (isMemoryJob(job)) {
    const { flags, timeoutMs } = limitMemoryJob(job.kind);
    return { flags: [...nodeFlags, ...flags], timeoutMs };
  }
  const timeoutMs = job.kind === 'output' ? OUTPUT_TIMEOUT_MS : JOB_TIMEOUT_MS;
  return { flags: job.kind === 'measure' ? nodeFlags : [], timeoutMs };
}

/**
 * The program that runs a job.
 *
 * @param {string | undefined} node exact version that the job names
 * @param {Runtime[]} runtimes of the run
 * @returns {string} absolute path
 * @throws {Error} when the run has no such Node, which is a defect
 */
export function chooseExecutable(node, runtimes) {
  if (node === undefined || node === process.versions.node) return process.execPath;
  const runtime = runtimes.find((candidate) => candidate.node === node);
  if (runtime === undefined) throw new Error(`the run has no Node ${node}`);
  return runtime.executable;
}

/** A million documents take most of a minute to read and to collect around; ten times that hangs. */
const MEMORY_TIMEOUT_MS = 600_000;

/** Half of it must hold every window of an allocation job. In MiB, as V8 takes it. */
const NEW_SPACE_MIB = 256;

/** Of the machine's memory, for the heap of a job that holds documents. */
const HEAP_SHARE = 0.75;

/**
 * Flags that node needs for a memory job besides the run's own, where the JavaScript worker does it,
 * and the time that the job may take in any worker.
 *
 * @param {MemoryJobKind} kind
 * @returns {{ flags: string[], timeoutMs: number }}
 */
export function limitMemoryJob(kind) {
  return { flags: listFlags(kind), timeoutMs: MEMORY_TIMEOUT_MS };
}

/** @param {MemoryJobKind} kind */
function listFlags(kind) {
  switch (kind) {
    case 'allocation':
      return [
        '--expose-gc',
        `--min-semi-space-size=${NEW_SPACE_MIB}`,
        `--max-semi-space-size=${NEW_SPACE_MIB}`,
      ];
    case 'collections':
      return [];
    default: {
      const heapMib = Math.floor((totalmem() * HEAP_SHARE) / 2 ** 20);
      return ['--expose-gc', `--max-old-space-size=${heapMib}`];
    }
  }
}

/**
 * What a job says of the variant that its worker loads.
 *
 * @param {ResolvedVariant} variant
 * @returns {JobVariant}
 */
export function describeJobVariant({ spec, modulePath, settings, buildPath, program }) {
  return {
    spec,
    modulePath,
    settings,
    ...(buildPath === undefined ? {} : { buildPath }),
    ...(program === undefined ? {} : { program }),
  };
}

/**
 * The Node that a variant is run under: its own where it is pinned to one, else that of the cell.
 *
 * @param {Pick<ResolvedVariant, 'node'>} variant
 * @param {{ node?: string | undefined }} [cell]
 * @returns {string | undefined} exact version; none for the Node that runs Assay
 */
export function chooseNode(variant, cell) {
  return variant.node ?? cell?.node;
}

/**
 * What a job says of the Node that its worker must run under.
 *
 * @param {Parameters<typeof chooseNode>} sides
 * @returns {Pick<Cell, 'node'>} nothing where it is the one that runs Assay
 */
export function describeJobNode(...sides) {
  const node = chooseNode(...sides);
  return node === undefined ? {} : { node };
}

/**
 * Whether two specs load the same code: under the same Node one check serves both.
 *
 * @param {JobVariant} a
 * @param {JobVariant} b
 * @returns {boolean}
 */
export function loadsSameCode(a, b) {
  const names = Object.keys(a.settings);
  return (
    a.modulePath === b.modulePath &&
    names.length === Object.keys(b.settings).length &&
    names.every((name) => a.settings[name] === b.settings[name])
  );
}

import { chooseExecutable } from './choose-executable.js';
import { limitMemoryJob } from './memory-limits.js';
import { PROJECT } from '../lib/project.js';
import { isMemoryJob } from '../formats/memory-kinds.js';
import { runConfined } from './sandbox/run-confined.js';

/** @import { Job, Runtime } from '../formats/types.ts' */
/** @import { Session } from './continue-run.js' */
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

import { chooseExecutable } from '../../run/choose-executable.js';
import { PROJECT } from '../../lib/project.js';
import { runConfined } from '../../run/sandbox/run-confined.js';
import { readJournal } from './read-journal.js';

/** @import { FuzzJob, Runtime, Sandbox } from '../../formats/types.ts' */
/** @import { WorkerOutcome } from '../../run/run-worker.js' */
/** @import { Journal } from './read-journal.js' */

const LOOK_INTERVAL_MS = 1_000;
/** A job ends itself; this is for one that does not, and whose journal goes on. */
const SPARE_MS = 60_000;

/** Loading a variant and making the documents to start from takes a second, more under load. */
const START_MS = 30_000;
const NOT_BEGUN = -1;

/**
 * @typedef {object} Watch
 * @property {Record<string, string | undefined>} environment
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {Runtime[]} runtimes that the job may name
 * @property {Sandbox | null} [sandbox] that the worker runs in
 * @property {number} hangMs a job whose journal stands still for this long hangs
 * @property {(journal: Journal) => void} onJournal about once a second
 */

/**
 * Runs a fuzz job and ends it when it hangs.
 *
 * @param {FuzzJob} job
 * @param {Watch} watch
 * @returns {Promise<WorkerOutcome>} a failure by `timeout` where it hung
 */
export async function watchJob(job, { hangMs, onJournal, ...watch }) {
  const { environment, signal, runtimes, sandbox } = watch;
  const hang = new AbortController();
  let lastDocument = NOT_BEGUN;
  let stillMs = 0;
  const timer = setInterval(() => {
    const journal = readJournal(job.journalPath);
    const document = journal?.attempt.document ?? NOT_BEGUN;
    stillMs = document === lastDocument ? stillMs + LOOK_INTERVAL_MS : 0;
    lastDocument = document;
    if (journal !== null) onJournal(journal);
    if (stillMs >= (journal === null ? START_MS : hangMs)) hang.abort();
  }, LOOK_INTERVAL_MS);
  try {
    const command = {
      executable: chooseExecutable(job.node, runtimes),
      args: [PROJECT.workerPath],
      environment,
      timeoutMs: job.maxMs + SPARE_MS,
      signal: AbortSignal.any([signal, hang.signal]),
    };
    const outcome = await runConfined(job, command, { sandbox });
    if (!('failure' in outcome) || !hang.signal.aborted) return outcome;
    const detail = `hung for ${hangMs / 1000} s and was killed`;
    return { ...outcome, failure: { ...outcome.failure, reason: 'timeout', detail } };
  } finally {
    clearInterval(timer);
  }
}

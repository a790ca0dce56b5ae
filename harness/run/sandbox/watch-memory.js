import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { isMemoryJob } from '../../formats/memory-kinds.js';

/** @import { Job } from '../../formats/types.ts' */

/** Between two looks. A timed job is over at the first or the second; a look takes a tenth of a
 * millisecond on another core. */
const LOOK_INTERVAL_MS = 500;

/** Of the machine's memory. A job that holds documents may have three quarters of it for its heap,
 * and something beside; others need some hundred megabytes. */
const MEMORY_JOB_SHARE = 0.85;
const OTHER_SHARE = 0.5;

/** Linux gives sizes of processes in pages, of 4 KiB on nearly all machines; where they are larger,
 * the limit is. */
const PAGE_BYTES = 4_096;
/** The programs around a worker are few; a worker that starts more is counted as far as this. */
const MAX_PROCESSES = 1_000;

/**
 * @param {Pick<Job, 'kind'>} job
 * @returns {number} resident memory that its worker may use with all that it started, in bytes
 */
export function limitResidentBytes(job) {
  const constrainedBytes = process.constrainedMemory();
  const available = constrainedBytes > 0 ? Math.min(totalmem(), constrainedBytes) : totalmem();
  const share = isMemoryJob(/** @type {Job} */ (job)) ? MEMORY_JOB_SHARE : OTHER_SHARE;
  return Math.floor(available * share);
}

/**
 * Watches from outside how much memory a process and its descendants keep. Neither a limit of the
 * address space nor one of V8's heap would do: V8 and Java reserve far more than they use, and a
 * smaller heap is collected at other times, which a timed job would show.
 *
 * @param {number | undefined} pid
 * @param {number} limitBytes
 * @param {() => void} onExcess called once
 * @returns {() => void} ends the watch
 */
export function watchMemory(pid, limitBytes, onExcess) {
  if (pid === undefined) return () => {};
  const timer = setInterval(() => {
    if (sumResidentBytes(pid) <= limitBytes) return;
    clearInterval(timer);
    onExcess();
  }, LOOK_INTERVAL_MS);
  return () => clearInterval(timer);
}

/**
 * @param {number} pid
 * @returns {number} bytes in memory of a process and its descendants, what they share counted for
 *   each; 0 where there is no such process, or no Linux
 */
export function sumResidentBytes(pid) {
  const pending = [String(pid)];
  let pages = 0;
  for (let seen = 0; pending.length > 0 && seen < MAX_PROCESSES; seen++) {
    const one = /** @type {string} */ (pending.pop());
    pages += Number(readWords(`/proc/${one}/statm`)[1] ?? 0);
    pending.push(...listChildren(one));
  }
  return pages * PAGE_BYTES;
}

/**
 * @param {string} pid
 * @returns {string[]} children of all its threads, for each of which the kernel keeps its own
 */
function listChildren(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) => readWords(`/proc/${pid}/task/${thread}/children`));
  } catch {
    return [];
  }
}

/**
 * @param {string} path under `/proc`, which may be gone
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

import { EXIT } from '../../lib/errors.js';

/** @import { Failure } from '../../formats/types.ts' */
/** @import { WorkerKind } from '../support/project.js' */

/**
 * A way in which a process of a worker fails, and how the harness handles it (`run/process.test.js` has more reports that
 * are refused). In every case no process of the worker
 * survives, other cells are measured, no observation is lost, no file is left half-written, and the run
 * can be resumed.
 *
 * @typedef {object} Fault
 * @property {string} what the worker does
 * @property {string} behaviour setting of the fake family
 * @property {Failure['reason'] | null} reason of the failed observation; null where it succeeds
 * @property {RegExp} [detail]
 * @property {number} status exit status of a comparison whose timed jobs fail in this way
 * @property {WorkerKind[]} [workers] that can; all by default
 * @property {boolean} [isEndless] whether it ends at its time limit only
 * @property {'survives'} [child] whether it leaves a child that cannot be found, with another process group,
 *   session and environment
 * @property {'always' | 'timed'} [when] jobs in which it fails; with `always` nothing is timed
 * @property {boolean} [isLong] takes seconds, or is like another
 */

/** @type {Fault[]} */
const FAULTS = [
  {
    what: 'is killed by SIGKILL',
    behaviour: 'kills-itself',
    reason: 'signal',
    detail: /ended by SIGKILL/,
    status: EXIT.failed,
  },
  {
    what: 'dereferences a null pointer',
    behaviour: 'segfaults',
    reason: 'signal',
    detail: /ended by SIGSEGV/,
    status: EXIT.failed,
    isLong: true,
  },
  {
    what: 'runs out of memory',
    behaviour: 'runs-out-of-memory',
    reason: 'signal',
    detail: /ended by SIGABRT/,
    status: EXIT.failed,
    isLong: true,
  },
  {
    what: 'exits with status 7',
    behaviour: 'exits-7',
    reason: 'exit-status',
    detail: /ended with exit status 7/,
    status: EXIT.failed,
    isLong: true,
  },
  {
    what: 'exits with status 7 after a good report',
    behaviour: 'exits-7-after-report',
    reason: 'exit-status',
    detail: /ended with exit status 7/,
    status: EXIT.failed,
  },
  {
    what: 'exits with status 0 without a report',
    behaviour: 'writes-nothing',
    reason: 'not-json',
    detail: /wrote no report/,
    status: EXIT.failed,
    isLong: true,
  },
  {
    what: 'never ends',
    behaviour: 'hangs',
    reason: 'timeout',
    status: EXIT.failed,
    isEndless: true,
    isLong: true,
  },
  {
    what: 'never ends and ignores SIGTERM',
    behaviour: 'hangs-deaf',
    reason: 'timeout',
    status: EXIT.failed,
    isEndless: true,
  },
  {
    what: 'closes its output and continues',
    behaviour: 'closes-output',
    reason: 'exit-status',
    status: EXIT.failed,
    isLong: true,
  },
  {
    what: 'closes its output and never ends',
    behaviour: 'closes-output-and-hangs',
    reason: 'timeout',
    status: EXIT.failed,
    isEndless: true,
    isLong: true,
  },
  {
    what: 'closes its input without reading it',
    behaviour: 'never-reads',
    reason: 'not-json',
    detail: /wrote no report/,
    status: EXIT.failed,
    workers: ['program'],
    when: 'always',
  },
  {
    what: 'writes endlessly to standard output, without a newline',
    behaviour: 'floods-stdout',
    reason: 'output-limit',
    detail: /more than 1000000 bytes/,
    status: EXIT.failed,
    isLong: true,
  },
  {
    what: 'writes 20 000 lines to standard error',
    behaviour: 'floods-stderr',
    reason: null,
    status: EXIT.done,
    isLong: true,
  },
  {
    what: 'writes 1 GB to standard error without a newline',
    behaviour: 'floods-stderr-1-gb',
    reason: null,
    status: EXIT.done,
    isLong: true,
  },
  {
    what: 'writes a report larger than the buffer of a pipe',
    behaviour: 'long-report',
    workers: ['program'],
    reason: null,
    status: EXIT.done,
    isLong: true,
  },
  {
    what: 'writes prose instead of a report',
    behaviour: 'writes-prose',
    reason: 'not-json',
    detail: /14 characters that are not JSON/,
    status: EXIT.failed,
    isLong: true,
  },
  {
    what: 'reports on another job',
    behaviour: 'other-job',
    workers: ['program'],
    reason: 'bad-report',
    detail: /for job .output\/another./,
    status: EXIT.failed,
    isLong: true,
  },
  {
    what: 'reports an error instead of times',
    behaviour: 'throws',
    workers: ['program'],
    reason: 'bad-report',
    detail: /measurement is missing/,
    status: EXIT.failed,
    isLong: true,
  },
  {
    what: 'produces other bytes once its code is hot',
    behaviour: 'wrong-digest',
    workers: ['program'],
    reason: null,
    status: EXIT.wrongBytes,
    isLong: true,
  },
  {
    what: 'leaves a child that holds its pipes',
    behaviour: 'leaves-child',
    reason: null,
    status: EXIT.done,
  },
  {
    what: 'leaves a child in another session',
    behaviour: 'leaves-detached-child',
    reason: null,
    status: EXIT.done,
  },
  {
    what: 'leaves a child that cannot be found and holds its pipes',
    behaviour: 'leaves-hidden-child',
    reason: 'left-behind',
    detail: /holds its output open/,
    status: EXIT.failed,
    child: 'survives',
  },
];

/** The faults of a kind of worker. @type {(kind: WorkerKind) => Fault[]} */
export function listFaults(kind) {
  return FAULTS.filter(({ workers = ['script', 'program'] }) => workers.includes(kind));
}

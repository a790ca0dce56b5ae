import { EXIT } from '../../lib/errors.js';

/** @import { Failure } from '../../formats/types.ts' */
/** @import { WorkerKind } from '../support/project.js' */

/**
 * A way in which a worker fails, and how the harness handles it. In every case no process of the worker
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
 * @property {boolean} [isLong] takes seconds
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
  },
  {
    what: 'runs out of memory',
    behaviour: 'runs-out-of-memory',
    reason: 'signal',
    detail: /ended by SIGABRT/,
    status: EXIT.failed,
  },
  {
    what: 'exits with status 7',
    behaviour: 'exits-7',
    reason: 'exit-status',
    detail: /ended with exit status 7/,
    status: EXIT.failed,
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
  },
  {
    what: 'never ends',
    behaviour: 'hangs',
    reason: 'timeout',
    status: EXIT.failed,
    isEndless: true,
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
    reason: null,
    status: EXIT.done,
  },
  {
    what: 'writes prose instead of a report',
    behaviour: 'writes-prose',
    reason: 'not-json',
    detail: /14 characters that are not JSON/,
    status: EXIT.failed,
  },
  {
    what: 'reports on another job',
    behaviour: 'other-job',
    reason: 'bad-report',
    detail: /for job .output\/another./,
    status: EXIT.failed,
  },
  {
    what: 'reports in another format',
    behaviour: 'other-format',
    reason: 'bad-report',
    detail: /has format 99, expected \d+/,
    status: EXIT.failed,
  },
  {
    what: 'reports of another kind',
    behaviour: 'other-kind',
    reason: 'bad-report',
    detail: /of kind .allocation./,
    status: EXIT.failed,
  },
  {
    what: 'reports an error instead of times',
    behaviour: 'throws',
    reason: 'bad-report',
    detail: /measurement is missing/,
    status: EXIT.failed,
  },
  {
    what: 'reports no measurement',
    behaviour: 'no-measurement',
    reason: 'bad-report',
    detail: /not of format \d+: measurement is missing/,
    status: EXIT.failed,
  },
  {
    what: 'reports no batches',
    behaviour: 'no-batches',
    reason: 'bad-report',
    detail: /batchNsPerDocument has 0 items, fewer than 1/,
    status: EXIT.failed,
  },
  {
    what: 'reports one batch too few',
    behaviour: 'one-batch-less',
    reason: 'bad-report',
    detail: /has 2 batches of 3/,
    status: EXIT.failed,
  },
  {
    what: 'reports one batch too many',
    behaviour: 'one-batch-more',
    reason: 'bad-report',
    detail: /has 4 batches of 3/,
    status: EXIT.failed,
  },
  {
    what: 'reports batches and nothing else of a measurement',
    behaviour: 'half-a-measurement',
    reason: 'bad-report',
    detail: /not of format \d+: measurement\.documentsPerBatch is missing/,
    status: EXIT.failed,
  },
  {
    what: 'reports text instead of a number',
    behaviour: 'figure-of-text',
    reason: 'bad-report',
    detail: /measurement\.wallMs is .short. but should be number/,
    status: EXIT.failed,
  },
  {
    what: 'reports one reference reading too few',
    behaviour: 'one-reading-less',
    reason: 'bad-report',
    detail: /has 3 readings of the reference loop for 3 batches/,
    status: EXIT.failed,
  },
  ...['batch-of-nan', 'batch-of-zero', 'batch-below-zero', 'batch-of-text', 'batch-of-1e400'].map(
    reportsNoTime,
  ),
  {
    what: 'produces other bytes once its code is hot',
    behaviour: 'wrong-digest',
    reason: null,
    status: EXIT.wrongBytes,
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

/** @type {(behaviour: string) => Fault} */
function reportsNoTime(behaviour) {
  return {
    what: `reports a ${behaviour.replaceAll('-', ' ')}`,
    behaviour,
    reason: 'bad-report',
    detail: /batchNsPerDocument\[\d\] is \S+ but should be/,
    status: EXIT.failed,
  };
}

/** The faults of a kind of worker. @type {(kind: WorkerKind) => Fault[]} */
export function listFaults(kind) {
  return FAULTS.filter(({ workers = ['script', 'program'] }) => workers.includes(kind));
}

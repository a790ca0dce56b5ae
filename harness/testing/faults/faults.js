import { EXIT } from '../../lib/exit-status.js';

/** @import { Failure } from '../../formats/types.ts' */

/** @typedef {'script' | 'program'} WorkerKind the JavaScript worker, or a program of a family's own */

/**
 * A way in which a worker goes wrong, and what the harness makes of it. Afterwards always: nothing of
 * the worker runs any more, other cells are measured, nothing that was measured is lost, no file is
 * left half-written, and the run can be gone on with.
 *
 * @typedef {object} Fault
 * @property {string} what the worker does
 * @property {string} behaviour that makes the families of the tests do so
 * @property {Failure['reason'] | null} reason of the failed observation; null where it is a good one
 * @property {RegExp} [detail]
 * @property {number} status exit status of a comparison whose timed jobs do so
 * @property {WorkerKind[]} [workers] where one alone can do so
 * @property {boolean} [isEndless] its time is up before it ends
 * @property {'survives'} [child] that left group, session and environment, so that it cannot be found
 * @property {'always' | 'timed'} [when] `always`: its checks fail as well, so that nothing is timed
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
    what: 'reads from nowhere',
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
    what: 'ends with a status of its own',
    behaviour: 'exits-7',
    reason: 'exit-status',
    detail: /ended with exit status 7/,
    status: EXIT.failed,
  },
  {
    what: 'ends with a status after a good report',
    behaviour: 'exits-7-after-report',
    reason: 'exit-status',
    detail: /ended with exit status 7/,
    status: EXIT.failed,
  },
  {
    what: 'ends well without a report',
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
    what: 'never ends and is deaf to SIGTERM',
    behaviour: 'hangs-deaf',
    reason: 'timeout',
    status: EXIT.failed,
    isEndless: true,
  },
  {
    what: 'closes its output and goes on',
    behaviour: 'closes-output',
    reason: 'exit-status',
    status: EXIT.failed,
  },
  {
    what: 'closes its output and never ends',
    behaviour: 'closes-output-and-hangs',
    reason: 'timeout',
    status: EXIT.failed,
    isEndless: true,
  },
  {
    what: 'closes its input unread',
    behaviour: 'never-reads',
    reason: 'not-json',
    detail: /wrote no report/,
    status: EXIT.failed,
    workers: ['program'],
    when: 'always',
  },
  {
    what: 'writes to standard output without end and without a line end',
    behaviour: 'floods-stdout',
    reason: 'output-limit',
    detail: /more than 1000000 bytes/,
    status: EXIT.failed,
  },
  {
    what: 'writes 20 000 lines to standard error',
    behaviour: 'floods-stderr',
    reason: null,
    status: EXIT.done,
  },
  {
    what: 'writes 1 GB to standard error without a line end',
    behaviour: 'floods-stderr-1-gb',
    reason: null,
    status: EXIT.done,
    isLong: true,
  },
  {
    what: 'writes a report that no pipe holds at once',
    behaviour: 'long-report',
    reason: null,
    status: EXIT.done,
  },
  {
    what: 'writes prose in place of a report',
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
    what: 'reports an error in place of times',
    behaviour: 'throws',
    reason: 'bad-report',
    detail: /no output digest/,
    status: EXIT.failed,
  },
  {
    what: 'reports no measurement',
    behaviour: 'no-measurement',
    reason: 'bad-report',
    detail: /has no batches/,
    status: EXIT.failed,
  },
  {
    what: 'reports no batches',
    behaviour: 'no-batches',
    reason: 'bad-report',
    detail: /has 0 batches of 3/,
    status: EXIT.failed,
  },
  {
    what: 'reports a batch less than it was asked for',
    behaviour: 'one-batch-less',
    reason: 'bad-report',
    detail: /has 2 batches of 3/,
    status: EXIT.failed,
  },
  {
    what: 'reports a batch more than it was asked for',
    behaviour: 'one-batch-more',
    reason: 'bad-report',
    detail: /has 4 batches of 3/,
    status: EXIT.failed,
  },
  {
    what: 'reports batches and no more of a measurement',
    behaviour: 'half-a-measurement',
    reason: 'bad-report',
    detail: /not of format \d+: measurement\.documentsPerBatch is missing/,
    status: EXIT.failed,
  },
  {
    what: 'reports text where a figure is wanted',
    behaviour: 'figure-of-text',
    reason: 'bad-report',
    detail: /measurement\.wallMs is .short. but should be number/,
    status: EXIT.failed,
  },
  {
    what: 'reports a reading of the yardstick less than there are',
    behaviour: 'one-reading-less',
    reason: 'bad-report',
    detail: /has 3 readings of the yardstick for 3 batches/,
    status: EXIT.failed,
  },
  ...['batch-of-nan', 'batch-of-zero', 'batch-below-zero', 'batch-of-text', 'batch-of-1e400'].map(
    reportsNoTime,
  ),
  {
    what: 'makes other bytes once its code is hot',
    behaviour: 'wrong-digest',
    reason: null,
    status: EXIT.wrongBytes,
  },
  {
    what: 'leaves a child behind that holds its pipes',
    behaviour: 'leaves-child',
    reason: null,
    status: EXIT.done,
  },
  {
    what: 'leaves a child behind in another session',
    behaviour: 'leaves-detached-child',
    reason: null,
    status: EXIT.done,
  },
  {
    what: 'leaves a child behind that nothing leads to, and that holds its pipes',
    behaviour: 'leaves-hidden-child',
    reason: 'left-behind',
    detail: /holds its output open/,
    status: EXIT.failed,
    child: 'survives',
  },
];

/**
 * @param {string} behaviour
 * @returns {Fault}
 */
function reportsNoTime(behaviour) {
  return {
    what: `reports a ${behaviour.replaceAll('-', ' ')}`,
    behaviour,
    reason: 'bad-report',
    detail: /a batch that is no time/,
    status: EXIT.failed,
  };
}

/**
 * The faults of a kind of worker.
 *
 * @param {WorkerKind} kind
 * @returns {Fault[]}
 */
export function listFaults(kind) {
  return FAULTS.filter(({ workers = ['script', 'program'] }) => workers.includes(kind));
}

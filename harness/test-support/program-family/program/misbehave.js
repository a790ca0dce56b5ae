/** All the ways in which a program can fail whoever started it. */
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';

/** A child that holds the pipes of the program for longer than any test waits; the last word tells whose
 * child it is. */
const LINGER = ['-e', 'setTimeout(() => {}, 60_000)', process.argv[1] ?? ''];

/** What is done before the job: by name. @type {Record<string, () => void>} */
const STARTS = {
  hangs,
  'hangs-deaf'() {
    // A handler alone keeps no process alive, and a busy loop would never call it.
    process.on('SIGTERM', () => {});
    hangs();
  },
  segfaults() {
    writeSync(2, 'about to read from nowhere\n');
    process.kill(process.pid, 'SIGSEGV');
    hangs();
  },
  'exits-7'() {
    writeSync(2, 'memory allocation of 96 bytes failed\n');
    process.exit(7);
  },
  'floods-stdout'() {
    const line = 'x'.repeat(65_536);
    for (;;) writeSync(1, line);
  },
  'floods-stderr'() {
    for (let line = 0; line < 20_000; line++) writeSync(2, `line ${line}\n`);
  },
  'writes-prose'() {
    writeSync(1, 'all went well\n');
    process.exit(0);
  },
  'writes-nothing'() {
    process.exit(0);
  },
  'leaves-child'() {
    const child = spawn(process.execPath, LINGER, { stdio: 'inherit' });
    writeSync(2, `child ${child.pid}\n`);
  },
  'leaves-detached-child'() {
    const child = spawn(process.execPath, LINGER, { stdio: 'inherit', detached: true });
    writeSync(2, `child ${child.pid}\n`);
  },
};

/** What becomes of the report: by name. @type {Record<string, (report: any) => unknown>} */
const ENDS = {
  'wrong-digest': (report) => ({ ...report, outputDigest: `sha256:${'0'.repeat(64)}` }),
  throws: ({ measurement: _measurement, ...report }) => ({
    ...report,
    outputDigest: null,
    thrown: '\u001b[31mindex out of bounds',
  }),
  'other-job': (report) => ({ ...report, jobId: 'output/another' }),
  'other-format': (report) => ({ ...report, formatVersion: 99 }),
  'other-kind': (report) => ({ ...report, kind: 'allocation' }),
  'no-batches': (report) => ({ ...report, measurement: { batchNsPerDocument: [] } }),
};

/** Names, for the axis. `wrong-bytes` and `never-reads` are done elsewhere. */
export const BEHAVIOURS = [
  ...Object.keys(STARTS),
  ...Object.keys(ENDS),
  'wrong-bytes',
  'never-reads',
];

/** @param {string} behaviour */
export function startJob(behaviour) {
  STARTS[behaviour]?.();
}

/**
 * @param {object} report
 * @param {string} behaviour
 * @returns {unknown} what is written in its place
 */
export function endReport(report, behaviour) {
  return ENDS[behaviour]?.(report) ?? report;
}

function hangs() {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

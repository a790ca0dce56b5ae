/** Ways to misbehave, for the program and for the JavaScript worker. */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file of this name in the temporary directory ends all misbehaviour. */
const REPAIRED = 'repaired';
/** A file with a byte for each start of a worker with `when=once`, which misbehaves at `BAD_START`. */
const STARTS_FILE = 'starts';
export const BAD_START = 5;
const FLOOD_BYTES = 2 ** 30;

/** Arguments of a child that holds the pipes longer than any test waits. The last names its parent. */
const LINGER = ['-e', 'setTimeout(() => {}, 60_000)', process.argv[1] ?? ''];

const CHUNK = 'x'.repeat(65_536);

/** Misbehaviour before the job, by name. @type {Record<string, () => void>} */
const STARTS = {
  hangs,
  'hangs-deaf'() {
    // A handler alone does not keep a process alive, and a busy loop would never call it.
    process.on('SIGTERM', () => {});
    hangs();
  },
  'kills-itself'() {
    process.kill(process.pid, 'SIGKILL');
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
  'exits-7-after-report'() {
    process.on('exit', () => {
      process.exitCode = 7;
    });
  },
  'runs-out-of-memory'() {
    const kept = [];
    for (;;) kept.push(new Array(1e4).fill(kept.length));
  },
  'closes-output'() {
    closeSync(1);
  },
  'closes-output-and-hangs'() {
    closeSync(1);
    hangs();
  },
  'floods-stdout'() {
    for (;;) writeWhole(1, CHUNK);
  },
  'floods-stderr-1-gb'() {
    for (let bytes = 0; bytes < FLOOD_BYTES; bytes += CHUNK.length) writeWhole(2, CHUNK);
  },
  'floods-stderr'() {
    for (let line = 0; line < 20_000; line++) writeWhole(2, `line ${line}\n`);
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
  'leaves-hidden-child'() {
    // Without a mark, the limit of its worker and a parent.
    const script = 'ulimit -f 1000; "$0" "$@" & echo "child $!" >&2';
    const args = ['-c', script, process.execPath, ...LINGER];
    // The shell ends before the worker does: until then the child is found by the limit or by its parent.
    const how = { stdio: /** @type {const} */ ('inherit'), detached: true, env: {} };
    spawnSync('/bin/sh', args, how);
  },
};

/** Misbehaviour in the report, by name. @type {Record<string, (report: any) => unknown>} */
const ENDS = {
  'wrong-digest': (report) => ({ ...report, outputDigest: `sha256:${'0'.repeat(64)}` }),
  throws: ({ measurement: _measurement, ...report }) => ({
    ...report,
    outputDigest: null,
    thrown: '\u001b[31mindex out of bounds',
  }),
  'other-job': (report) => ({ ...report, jobId: 'output/another' }),
  'long-report': ({ runtime, ...report }) => ({
    ...report,
    runtime: { ...runtime, flags: ['x'.repeat(900_000)] },
  }),
};

/** Values of the axis. `wrong-bytes` is done by the operation, `never-reads` by the command. */
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
 * @returns {string} the text to write
 */
export function endReport(report, behaviour) {
  return JSON.stringify(ENDS[behaviour]?.(report) ?? report);
}

/**
 * Whether the worker is to misbehave in this job.
 *
 * @param {{ when?: string, where?: string }} settings
 * @param {{ isTimed: boolean, corpus: string | undefined }} job
 * @returns {boolean}
 */
export function isMeant({ when, where }, { isTimed, corpus }) {
  if (existsSync(join(tmpdir(), REPAIRED)) || (where === 'deep' && corpus !== 'deep')) return false;
  if (when === 'once') return isTimed && isBadStart();
  return when === 'always' || (when === 'timed') === isTimed;
}

/** @returns {boolean} true in one of many jobs */
function isBadStart() {
  const file = join(tmpdir(), STARTS_FILE);
  appendFileSync(file, '.');
  return readFileSync(file).length === BAD_START;
}

/**
 * Writes all of a text, also to a full pipe, which is non-blocking in Node.
 *
 * @param {number} file
 * @param {string} text
 */
export function writeWhole(file, text) {
  for (let left = Buffer.from(text); left.length > 0;) {
    try {
      left = left.subarray(writeSync(file, left));
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function hangs() {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

/**
 * The JavaScript worker: one process, one job. Reads a job (JSON) from standard input, writes one
 * report (JSON) to standard output, logs to standard error and exits. Programs in other languages
 * implement the same protocol (`harness/formats/protocol.ts`).
 */
import { readFileSync, writeSync } from 'node:fs';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { stringify } from './bound.js';
import { endEquipment } from './equipment.js';
import { runJob } from './run-job.js';

/** @import { Job } from '../formats/types.ts' */

/** Share of the timed jobs that list what they loaded: it takes more than a percent of their time. */
const LISTING_SHARE = 1 / 16;
const STDIN = 0;
const STDOUT = 1;
/** The runtime: others than Node state the version of Node that they imitate, too. */
const name = ['bun', 'deno'].find((other) => other in process.versions) ?? 'node';

// Taken before the variant is loaded, which could replace them.
const write = writeSync;
const { exit } = process;
const { wait } = Atomics;
const encoder = new TextEncoder();
const encode = encoder.encode.bind(encoder);
const { prototype: ofObjects } = Object;
const { prototype: ofArrays } = Array;
// Output of variants goes to the log; standard output is for the report alone.
process.stdout.write = process.stderr.write.bind(process.stderr);

// Node would say nothing of the cause.
process.on('beforeExit', refuseWaiting);

function refuseWaiting() {
  // Somebody waits until there is nothing left to do: it is how a benchmark file ends.
  if (process.listenerCount('beforeExit') > 1) return;
  throw new Error(
    'the job waits for a promise that nothing can settle any more, or for a stream that nothing can end',
  );
}

const job = readJob();
const listLoadedFiles = await openLoadedFiles();
const report = {
  formatVersion: FORMAT_VERSION,
  jobId: job.id,
  kind: job.kind,
  runtime: { name, version: String(process.versions[name]), flags: process.execArgv },
  ...(await runJob(job)),
  ...(listLoadedFiles === undefined ? {} : { loaded: listLoadedFiles() }),
};
await endEquipment();
if ('toJSON' in ofObjects || 'toJSON' in ofArrays) {
  throw new Error(
    'the variant defines toJSON for all objects or arrays, which would change the report',
  );
}
writeReport(stringify(report));
// A tool may have replaced `exit` by one that lets the process end.
process.off('beforeExit', refuseWaiting);
exit(0);

/**
 * Before a variant is loaded, which could replace what it uses.
 * @returns {Promise<(() => string[]) | undefined>} what lists the loaded files; undefined under a runtime that cannot tell,
 *   and in most timed jobs
 */
async function openLoadedFiles() {
  if (name !== 'node' || (job.kind === 'measure' && Math.random() > LISTING_SHARE))
    return undefined;
  const { openLoadedFiles: open } = await import('./loaded-files.js');
  return open(job.kind);
}

/** @returns {Job} from the file in the arguments, for tools that do not pass standard input on */
function readJob() {
  const received = JSON.parse(readFileSync(process.argv[2] ?? STDIN, 'utf8'));
  if (received.formatVersion !== FORMAT_VERSION) {
    throw new Error(
      `job has format ${received.formatVersion}, this worker reads format ${FORMAT_VERSION}`,
    );
  }
  const own = `${name}@${process.versions[name]}`;
  if (received.runtime !== undefined && received.runtime !== own) {
    throw new Error(`job is for ${received.runtime}, this worker runs under ${own}`);
  }
  return received;
}

/**
 * Writes to the file descriptor, because a variant can replace the methods of a stream. A pipe takes a long report in
 * parts, and none while it is full.
 * @param {string} text
 */
function writeReport(text) {
  const bytes = encode(text);
  for (let written = 0; written < bytes.length;) {
    try {
      written += write(STDOUT, bytes, written);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
      wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

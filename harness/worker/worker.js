/**
 * The JavaScript worker: one process, one job. Reads a job (JSON) from standard input, writes one
 * report (JSON) to standard output, logs to standard error and exits. Programs in other languages
 * implement the same protocol (`harness/formats/protocol.ts`).
 */
import { readFileSync } from 'node:fs';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { endEquipment } from './equipment.js';
import { runJob } from './run-job.js';

/** @import { Job } from '../formats/types.ts' */

const STDIN = 0;
/** The runtime: others than Node state the version of Node that they imitate, too. */
const name = ['bun', 'deno'].find((other) => other in process.versions) ?? 'node';

const writeOutput = process.stdout.write.bind(process.stdout);
// Output of variants goes to the log; standard output is for the report alone.
process.stdout.write = process.stderr.write.bind(process.stderr);

const job = readJob();
const report = {
  formatVersion: FORMAT_VERSION,
  jobId: job.id,
  kind: job.kind,
  runtime: { name, version: String(process.versions[name]), flags: process.execArgv },
  ...(await runJob(job)),
};
await endEquipment();
await writeReport(JSON.stringify(report));
process.exit(0);

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
 * Uses the stream, since a long report exceeds the buffer of a pipe and `writeSync` would truncate it.
 * @type {(text: string) => Promise<void>}
 */
function writeReport(text) {
  return new Promise((resolve, reject) => {
    writeOutput(text, (error) => (error == null ? resolve() : reject(error)));
  });
}

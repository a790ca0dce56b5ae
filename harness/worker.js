/**
 * The JavaScript worker: one process, one job. Reads a job (JSON) from standard input, writes one
 * report (JSON) to standard output, logs to standard error and exits. Other languages bring a binary
 * of their own that speaks the same protocol (`harness/schemas/job.schema.json`).
 */
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { digestFrames, encodeFrames } from './frames.js';
import { FORMAT_VERSION } from './format-version.js';
import { measureOperation } from './measure-operation.js';

/** @import { Job, Operation, WorkerReport } from './types.ts' */

const STDIN = 0;
const STDOUT = 1;

// Whatever a variant prints belongs to the log; standard output carries the report alone.
process.stdout.write = process.stderr.write.bind(process.stderr);

const job = readJob();
const report = await runJob(job);
writeSync(STDOUT, JSON.stringify(report));
process.exit(0);

/** @returns {Job} */
function readJob() {
  const received = JSON.parse(readFileSync(STDIN, 'utf8'));
  if (received.formatVersion !== FORMAT_VERSION) {
    throw new Error(
      `job has format ${received.formatVersion}, this worker reads format ${FORMAT_VERSION}`,
    );
  }
  return received;
}

/**
 * @param {Job} job
 * @returns {Promise<WorkerReport>}
 */
async function runJob(job) {
  const operation = await loadOperation(job);
  const common = {
    formatVersion: FORMAT_VERSION,
    jobId: job.id,
    runtime: {
      node: process.versions.node,
      v8: process.versions.v8,
      execArgv: process.execArgv,
    },
  };
  const module = await import(pathToFileURL(job.variant.modulePath).href);
  if (job.kind === 'check') {
    try {
      const frames = await operation.output(await operation.prepare(module, job.corpus));
      writeFileSync(String(job.outputPath), encodeFrames(frames));
      return { ...common, outputDigest: digestFrames(frames) };
    } catch (error) {
      return { ...common, outputDigest: null, thrown: String(error) };
    }
  }
  if (job.settings === undefined) throw new Error('a measure job needs settings');
  const state = await operation.prepare(module, job.corpus);
  const measurement = await measureOperation(operation, state, job);
  // Hashed after the last batch: it is the optimised code whose output is vouched for, and the
  // check leaves no trace in the type feedback of what was timed.
  return { ...common, outputDigest: digestFrames(await operation.output(state)), measurement };
}

/**
 * @param {Job} job
 * @returns {Promise<Operation>}
 */
async function loadOperation(job) {
  const url = pathToFileURL(`${job.familyPath}/operations/${job.operation}.js`);
  const { operation } = await import(url.href);
  return operation;
}

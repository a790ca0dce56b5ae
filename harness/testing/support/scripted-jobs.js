import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { openJobRunner } from '../../run/jobs.js';
import { drawNoise } from '../../studies/simulation/noise.js';
import { seedGenerator } from '../../stats/random.js';
import { makeMeasurement } from '../simulation/measurements.js';

/** @import { Job, MemoryResult, WorkerReport } from '../../formats/types.ts' */
/** @import { RunJob, HowToRun } from '../../run/jobs.js' */
/** @import { WorkerOutcome } from '../../run/process.js' */

/** Of every output and of the contract. */
export const SCRIPTED_DIGEST = `sha256:${'0'.repeat(64)}`;
const WORKER_MS = 180;
const USUAL_NS = 10_000;

/**
 * What jobs answer. Everything is optional.
 *
 * @typedef {object} Script
 * @property {number} [spread] standard deviation between processes, log scale; 0.01 by default
 * @property {(job: Job) => number} [factor] true time of the variant of a job, as a multiple of the usual one
 * @property {(job: Job) => Partial<WorkerOutcome> | undefined} [outcome] in place of the usual one, of some jobs
 * @property {(job: Job, how: HowToRun) => void} [onJob] called before each job
 */

/**
 * Returns what answers jobs in this process, in place of workers: `session.runJob`, or `io.runJob` of the whole program.
 * The figures of a job follow from its identity alone, so that every executor and every session gets the same ones.
 *
 * @param {Script} [script]
 * @returns {RunJob}
 */
export function scriptJobs({ factor = () => 1, spread = 0.01, outcome, onJob } = {}) {
  return async function runJob(job, how = {}) {
    onJob?.(job, how);
    const own = outcome?.(job);
    if (own !== undefined) return /** @type {WorkerOutcome} */ ({ workerMs: WORKER_MS, ...own });
    const random = seedGenerator(createHash('sha256').update(job.id).digest().readInt32LE());
    const scale = factor(job) * Math.exp(spread * drawNoise('normal', random));
    const report = {
      formatVersion: FORMAT_VERSION,
      jobId: job.id,
      kind: job.kind,
      runtime: { name: 'scripted', version: '1.0.0', flags: [] },
      ...describeResult(job, scale),
    };
    return {
      workerMs: WORKER_MS,
      report: /** @type {WorkerReport} */ (/** @type {unknown} */ (report)),
    };
  };
}

/**
 * Jobs of the fake family. On `apart` each further round takes a fifth longer, on `alike` none does, the times of
 * `noisy` are too far apart for a verdict, and those of `quadratic` grow with the power of the size that is the number of rounds.
 *
 * @type {(script?: Omit<Script, 'factor'>) => RunJob}
 */
export function scriptFakeFamily(script = {}) {
  return scriptJobs({
    ...script,
    factor(job) {
      const { id, variant } = job;
      const operation = 'operation' in job ? job.operation : '';
      if (operation === 'apart') return 1 + (Number(variant.settings.rounds) - 1) / 5;
      if (operation === 'quadratic' && 'corpus' in job) {
        return (job.corpus.sizeBytes / 1e4) ** Number(variant.settings.rounds);
      }
      if (operation !== 'noisy') return 1;
      const random = seedGenerator(
        createHash('sha256').update(`noisy ${id}`).digest().readInt32LE(),
      );
      return Math.exp(drawNoise('normal', random) / 4);
    },
  });
}

/**
 * Jobs in which variants whose specs or paths contain one of the words take half as long again.
 *
 * @type {(words: string[], script?: Omit<Script, 'factor'>) => RunJob}
 */
export function scriptSlow(words, script = {}) {
  return scriptJobs({
    ...script,
    factor: ({ variant: { spec, modulePath } }) =>
      words.some((word) => `${spec} ${modulePath}`.includes(word)) ? 1.5 : 1,
  });
}

/** Runs the jobs that are profiled in processes, and has the others answered. @type {(answer: RunJob) => RunJob} */
export function profileInProcesses(answer) {
  const { signal } = new AbortController();
  const start = openJobRunner([], { environment: process.env, signal });
  return (job, how) => (job.kind === 'exercise' ? start : answer)(job, how);
}

/** @type {(job: Job, scale: number) => object} */
function describeResult(job, scale) {
  switch (job.kind) {
    case 'measure': {
      const batches = job.cold === undefined ? job.settings.batchCount : 1;
      const batchNsPerDocument = Array(batches).fill(USUAL_NS * scale);
      return {
        outputDigest: SCRIPTED_DIGEST,
        measurement: makeMeasurement({ batchNsPerDocument, documentsPerBatch: 100 }),
      };
    }
    case 'output':
      return { outputDigest: SCRIPTED_DIGEST };
    case 'conformance':
      return { passed: 1, failures: [], contract: [] };
    case 'exercise': {
      // A profile without a sample.
      if (job.observedPath !== null) writeFileSync(job.observedPath, '{"nodes":[]}');
      const window = { startMs: 0, endMs: 1 };
      return { exercise: { documents: 100, wallMs: 1, window, collections: {} } };
    }
    case 'load':
      return {};
    case 'list':
      return { cases: [], failures: {}, printed: {} };
    case 'fuzz':
      throw new Error('fuzz jobs are not scripted');
    default:
      return { result: describeMemory(job.kind, scale) };
  }
}

/** @type {(kind: MemoryResult['kind'], scale: number) => MemoryResult} */
function describeMemory(kind, scale) {
  const bytes = Math.round(1000 * scale);
  const held = { heapBytes: bytes, offHeapBytes: 0 };
  switch (kind) {
    case 'allocation': {
      const windows = { documentsPerWindow: 1000, collectedWindows: 0, bridged: false };
      return { kind, windowHeapBytes: [bytes, bytes, bytes], offHeapBytes: 0, ...windows };
    }
    case 'collections': {
      const collections = { scavenge: { count: 10, ms: 5 * scale } };
      return { kind, documents: 1000, wallMs: 100, collections, allocatedBytes: bytes };
    }
    case 'retained-slope': {
      const points = [1000, 2000].map((documents) => ({
        documents,
        heapUsedBytes: 4e6 + bytes * documents,
        ...{ externalBytes: 0, arrayBufferBytes: 0, rssBytes: 5e7 },
      }));
      return { kind, points };
    }
    default: {
      const group = { name: '(document)', perDocument: 1, shallowBytes: bytes, parts: [], ...held };
      const composition = [{ name: 'Object', perDocument: 1, ...held }];
      return { kind, documents: 1000, composition, groups: [group], ...held };
    }
  }
}

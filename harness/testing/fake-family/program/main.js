/** A program that speaks the worker protocol: reads one job, writes one report, and ends. */
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { endReport, isMeant, startJob, writeWhole } from './misbehave.js';

const FORMAT_VERSION = 11;
const CHUNK_PASSES = 4;
const SCRIPTED_DIGEST = `sha256:${'0'.repeat(64)}`;

/** What the loop makes, kept so that no pass is dead code. */
const made = new Uint8Array(1 << 20);

const job = JSON.parse(readFileSync(process.argv[2] ?? 0, 'utf8'));
if (job.formatVersion !== FORMAT_VERSION) {
  refuse(`job has format ${job.formatVersion}, this program reads format ${FORMAT_VERSION}`);
}
const { settings } = job.variant;
const isBad = isMeant(settings, { isTimed: job.kind === 'measure', corpus: job.corpus?.name });
const behaviour = isBad ? settings.behaviour : 'none';
startJob(behaviour);
const report = {
  formatVersion: FORMAT_VERSION,
  jobId: job.id,
  kind: job.kind,
  runtime: { name: 'program', version: '1.0.0', flags: [] },
  ...runJob(),
};
writeWhole(1, endReport(report, behaviour));
process.exit(0);

function runJob() {
  const { kind, operation, corpus } = job;
  if (operation !== undefined && operation !== 'reverse') {
    // The reference is checked by this program even where scripted.sh measures.
    return kind === 'output'
      ? { outputDigest: SCRIPTED_DIGEST }
      : refuse(`'${operation}' needs figures=scripted`);
  }
  const documents = readDocuments(readFileSync(corpus.files.canonical));
  const rounds = Number(settings.rounds);
  if (kind === 'measure') {
    const measurement = measure(documents, rounds, job.settings);
    return { outputDigest: digest(encodeOutput(documents)), measurement };
  }
  if (kind === 'output') {
    const output = encodeOutput(documents);
    if (behaviour === 'wrong-bytes') output[output.length - 1] ^= 1;
    writeFileSync(job.outputPath, output);
    return { outputDigest: digest(output) };
  }
  if (kind === 'exercise') return { exercise: exercise(documents, rounds, job.work) };
  if (kind === 'allocation') return { result: describeAllocation(documents) };
  return refuse(`this program does no job of kind '${kind}'`);
}

/**
 * Figures computed from the size of the documents.
 *
 * @param {Uint8Array[]} documents
 */
function describeAllocation(documents) {
  const bytes = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  return {
    kind: 'allocation',
    windowHeapBytes: [bytes, bytes, bytes],
    offHeapBytes: 0,
    allocations: 1,
    documentsPerWindow: documents.length,
    collectedWindows: 0,
    bridged: false,
  };
}

/** @param {Buffer} bytes documents, each of which begins with its length */
function readDocuments(bytes) {
  const documents = [];
  for (let offset = 0; offset < bytes.length;) {
    const end = offset + bytes.readUInt32LE(offset);
    documents.push(bytes.subarray(offset, end));
    offset = end;
  }
  return documents;
}

/** @param {Uint8Array[]} documents */
function encodeOutput(documents) {
  return Buffer.concat(
    documents.flatMap((document) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(document.length);
      return [length, Uint8Array.from(document).reverse()];
    }),
  );
}

/** @param {Uint8Array} bytes */
function digest(bytes) {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** @type {(message: string) => never} */
function refuse(message) {
  writeSync(2, `${message}\n`);
  process.exit(1);
}

/**
 * The measured loop.
 *
 * @param {Uint8Array[]} documents
 * @param {number} rounds how often the work on a document is done
 * @param {number} passes
 */
function runPasses(documents, rounds, passes) {
  for (let pass = 0; pass < passes; pass++) {
    for (const document of documents) {
      for (let round = 0; round < rounds; round++) {
        for (let from = 0, to = document.length; from < document.length;) {
          made[--to] = document[from++];
        }
      }
    }
  }
}

/**
 * @param {Uint8Array[]} documents
 * @param {number} rounds
 * @param {{ warmUpMs: number, maxWarmUpMs: number, batchCount: number, batchMs: number }} settings
 */
function measure(documents, rounds, { warmUpMs, maxWarmUpMs, batchCount, batchMs }) {
  const warmUp = runFor(documents, rounds, Math.min(warmUpMs, maxWarmUpMs));
  const passes = Math.max(1, Math.round((warmUp.passes * batchMs) / warmUp.ms));
  const before = process.resourceUsage();
  const startMs = performance.now();
  const batches = Array.from({ length: batchCount }, () => {
    const batchStartMs = performance.now();
    runPasses(documents, rounds, passes);
    return performance.now() - batchStartMs;
  });
  const wallMs = performance.now() - startMs;
  const after = process.resourceUsage();
  const documentsPerBatch = passes * documents.length;
  return {
    batchNsPerDocument: batches.map((ms) => (ms * 1e6) / documentsPerBatch),
    documentsPerBatch,
    warmUp: { ms: warmUp.ms, calls: warmUp.passes * documents.length, settled: true },
    cpuUserMs: (after.userCPUTime - before.userCPUTime) / 1e3,
    cpuSystemMs: (after.systemCPUTime - before.systemCPUTime) / 1e3,
    wallMs,
    gcCount: 0,
    gcMs: 0,
    voluntaryContextSwitches: after.voluntaryContextSwitches - before.voluntaryContextSwitches,
    involuntaryContextSwitches:
      after.involuntaryContextSwitches - before.involuntaryContextSwitches,
    autogroupRaised: false,
  };
}

/**
 * @param {Uint8Array[]} documents
 * @param {number} rounds
 * @param {{ passes: number } | { warmUpMs: number, recordMs: number }} work
 */
function exercise(documents, rounds, work) {
  if ('warmUpMs' in work) runFor(documents, rounds, work.warmUpMs);
  const startMs = monotonicMs();
  let passes;
  if ('passes' in work) {
    passes = work.passes;
    runPasses(documents, rounds, passes);
  } else {
    passes = runFor(documents, rounds, work.recordMs).passes;
  }
  const endMs = monotonicMs();
  return {
    documents: passes * documents.length,
    wallMs: endMs - startMs,
    window: { startMs, endMs },
    collections: {},
  };
}

/**
 * @param {Uint8Array[]} documents
 * @param {number} rounds
 * @param {number} wantedMs
 */
function runFor(documents, rounds, wantedMs) {
  const startMs = performance.now();
  let passes = 0;
  let ms;
  do {
    runPasses(documents, rounds, CHUNK_PASSES);
    passes += CHUNK_PASSES;
    ms = performance.now() - startMs;
  } while (ms < wantedMs);
  return { passes, ms };
}

/** @returns {number} */
function monotonicMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A program that speaks the worker protocol: one process, one job. */
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { endReport, isMeant, startJob, writeWhole } from './misbehave.js';
import { exercise, measure } from './measure.js';

const FORMAT_VERSION = 6;

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
  if (operation !== undefined && operation !== 'reverse') refuse(`no operation '${operation}'`);
  const documents = readDocuments(readFileSync(corpus.files.canonical));
  const rounds = settings.work === 'twice' ? 2 : 1;
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
 * What follows from the size of the documents, since no collector tells it here.
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

/** @param {Buffer} bytes of all documents, each of which begins with its length */
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

/**
 * @param {string} message
 * @returns {never}
 */
function refuse(message) {
  writeSync(2, `${message}\n`);
  process.exit(1);
}

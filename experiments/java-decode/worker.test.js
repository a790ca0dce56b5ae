import { deserialize } from 'bson';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { splitBsonDocuments } from '../../corpora/support/document-files.js';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { UsageError } from '../../harness/lib/errors.js';
import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { decodeFrames, digestFrames } from '../../harness/worker/frames.js';
import { PROJECT } from '../../harness/lib/project.js';
import { buildFamily } from '../../harness/variants/build-family.js';
import { validate } from '../../harness/formats/schemas.js';
import { describeToolchain } from '../../harness/testing/support/gates.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { BUFFERS, SCANS, STRINGS } from './family.js';
import { worker } from './worker.js';

/** @typedef {{ status: number, report: any, log: string }} Outcome */

const familyPath = dirname(fileURLToPath(import.meta.url));
const CORPORA = ['flat', 'deep', 'full', 'tweet'];
const LIBRARIES = ['5.4.0', '5.5.0', '5.14.0'];
/** Faster than 50,000 rounds of multiplication and addition can be, one after the other: the loop is gone. */
const MIN_READING_NS = 20_000;
const HOT_KINDS = ['measure', 'allocation', 'collections', 'exercise'];
/** For jobs that need no hot code: a JVM that starts quickly. */
const QUICK_FLAGS = ['-XX:-AlwaysPreTouch', '-XX:TieredStopAtLevel=1'];
/** The shortest possible timed job. */
const SETTINGS = { warmUpMs: 1, warmUpCalls: 1, maxWarmUpMs: 50, batchCount: 3, batchMs: 2 };

describe('the command and packages of a variant', () => {
  test.each(['scan', 'string'])('reject the axis %s for the input of the library', (axis) => {
    const settings = { input: 'library', library: '5.4.0', [axis]: 'view' };
    const attempt = () => worker.command({ buildPath: '/build', packagePath: null, settings });
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(`the input of the library has no axis '${axis}'`);
  });

  test('reject an invalid version without running Maven', async () => {
    const wanted = { registry: 'maven', name: 'org.mongodb:bson', version: '5.4.0</version>' };
    const context = { familyPath, outputPath: '/out', downloadsPath: '/downloads', run: fail };
    await expect(worker.fetchPackage(wanted, context)).rejects.toThrow(UsageError);
  });
});

await describeToolchain('java-decode', 'the worker of java-decode', () => {
  let buildPath = '';
  const workPath = makeTestDirectory('java');
  /** @type {import('../../harness/formats/types.ts').PreparedCorpus} all documents of the corpora */
  let corpus;
  /** @type {Uint8Array[]} */
  let documents = [];

  beforeAll(async () => {
    const family = { name: 'java-decode', path: familyPath };
    ({ buildPath } = await buildFamily(family, worker, { cachePath: PROJECT.cachePath }));
    const prepared = [];
    for (const name of CORPORA) {
      prepared.push(await prepareCorpus(name, { directory: join(workPath, 'corpora') }));
    }
    const bytes = Buffer.concat(prepared.map(({ files }) => readFileSync(files.canonical)));
    documents = [...splitBsonDocuments(bytes)];
    const [first] = prepared;
    if (first === undefined) throw new Error('there are no corpora');
    corpus = storeCorpus(first, 'all', bytes);
  });

  /**
   * @param {import('../../harness/formats/types.ts').PreparedCorpus} model
   * @param {string} name
   * @param {Uint8Array} bytes
   */
  function storeCorpus(model, name, bytes) {
    const canonical = join(workPath, `${name}.bson`);
    writeFileSync(canonical, bytes);
    return {
      ...model,
      name,
      documentCount: documents.length,
      files: { ...model.files, canonical },
    };
  }

  /**
   * @param {Record<string, string>} settings of the variant
   * @param {Record<string, unknown>} [changes] of the job
   * @returns {Promise<Outcome>}
   */
  function runJob(settings, changes = {}) {
    const { executable, args: all } = worker.command({ buildPath, packagePath: null, settings });
    const isHot = HOT_KINDS.includes(String(changes['kind']));
    const args = isHot ? all : all.toSpliced(all.indexOf('-cp'), 0, ...QUICK_FLAGS);
    const job = {
      formatVersion: FORMAT_VERSION,
      id: 'job',
      family: 'java-decode',
      familyPath,
      kind: 'output',
      operation: 'decode',
      corpus,
      variant: { spec: 'tested', settings },
      outputPath: join(workPath, `${Object.values(settings).join('-')}.frames`),
      ...changes,
    };
    return new Promise((resolve) => {
      const child = execFile(executable, args, { timeout: 600_000 }, (error, stdout, log) => {
        const report = stdout === '' ? null : JSON.parse(stdout);
        resolve({ status: error === null ? 0 : Number(error.code), report, log });
      });
      child.stdin?.end(JSON.stringify(job));
    });
  }

  test.each(BUFFERS)('readers return the documents from a %s buffer', async (buffer) => {
    // Over all buffers, every library occurs, and every pair of a scan, a string and a buffer.
    const turn = BUFFERS.indexOf(buffer);
    const variants = [
      { input: 'library', library: LIBRARIES[turn % LIBRARIES.length], buffer },
      ...SCANS.map((scan, index) => {
        const string = STRINGS[(index + turn) % STRINGS.length];
        return { input: 'composed', scan, string, buffer };
      }),
    ];
    const digests = new Map();
    for (const settings of variants) {
      const { report } = await runJob(settings);
      digests.set(Object.values(settings).join(' '), report.outputDigest ?? report.thrown);
    }
    const expected = digestFrames(documents);
    expect([...digests].filter(([, digest]) => digest !== expected)).toEqual([]);
    expect(digests.size).toBe(4);
  });

  test('a reply has 200 documents, repeated from a small corpus', async () => {
    const settings = {
      input: 'composed',
      scan: 'swar',
      string: 'view',
      buffer: 'netty-composite',
    };
    const outputPath = join(workPath, 'reply.frames');
    const { report } = await runJob(settings, { operation: 'decode-reply', outputPath });
    const [reply, ...rest] = decodeFrames(readFileSync(outputPath));
    if (reply === undefined) throw new Error('there is no reply');
    expect(rest).toHaveLength(0);
    const { cursor, ok } = deserialize(reply.bytes);
    expect(cursor.firstBatch).toHaveLength(200);
    expect(cursor.firstBatch.slice(documents.length)).toEqual(
      cursor.firstBatch.slice(0, 200 - documents.length),
    );
    expect(cursor.firstBatch[0]).toEqual(deserialize(documents[0] ?? Buffer.of()));
    expect(ok).toBe(1);
    const library = await runJob(
      { input: 'library', library: '5.4.0', buffer: 'heap' },
      { operation: 'decode-reply' },
    );
    expect(library.report.outputDigest).toBe(report.outputDigest);
  });

  test('truncated documents are rejected, whatever makes their strings', async () => {
    const whole = Buffer.concat(documents);
    const cut = storeCorpus(corpus, 'cut', whole.subarray(0, whole.length - 30));
    for (const [index, string] of STRINGS.entries()) {
      const buffer = index === 0 ? 'heap' : 'netty-composite';
      const settings = { input: 'composed', scan: 'swar', string, buffer };
      const { status, report } = await runJob(settings, { corpus: cut });
      expect(status).toBe(0);
      expect(report).toMatchObject({ outputDigest: null, thrown: expect.stringMatching(/Bson/) });
    }
  });

  test('the report of every kind of job matches the schema', async () => {
    const settings = { input: 'library', library: '5.5.0', buffer: 'direct' };
    const jobs = [
      { kind: 'output' },
      { kind: 'measure', settings: SETTINGS },
      { kind: 'allocation' },
      { kind: 'collections' },
      { kind: 'exercise', work: { passes: 3 }, observer: null, observedPath: null },
      {
        kind: 'exercise',
        work: { warmUpMs: 1, recordMs: 2 },
        observer: null,
        observedPath: null,
      },
    ];
    const reports = await Promise.all(jobs.map((job) => runJob(settings, job)));
    for (const { report } of reports) validate('worker-report', report);
    const [, measured, allocated, collected, exercised] = reports.map(({ report }) => report);
    expect(measured.outputDigest).toBe(digestFrames(documents));
    const { batchNsPerDocument, batchGcMs, documentsPerBatch, referenceLoopNs, wallMs } =
      measured.measurement;
    expect(batchNsPerDocument).toHaveLength(3);
    const batchesNs = documentsPerBatch * batchNsPerDocument.reduce(add);
    expect(wallMs).toBeGreaterThanOrEqual(batchesNs / 1e6);
    expect(referenceLoopNs).toHaveLength(4);
    expect(Math.min(...referenceLoopNs)).toBeGreaterThan(MIN_READING_NS);
    expect(batchGcMs).toHaveLength(3);
    // Compiled code always allocates the same, but the compiler may not have finished.
    const { windowHeapBytes } = allocated.result;
    expect(Math.max(...windowHeapBytes)).toBeLessThan(1.5 * Math.min(...windowHeapBytes));
    expect(Math.min(...windowHeapBytes)).toBeGreaterThan(1000);
    expect(collected.result.collections.Copy.count).toBeGreaterThan(0);
    expect(exercised.exercise.documents).toBe(3 * documents.length);
  });

  test('an unsupported job is rejected with a message', async () => {
    const refused = await Promise.all([
      runJob({}, { formatVersion: 4 }),
      runJob({}, { kind: 'fuzz' }),
      runJob({}, { operation: 'encode' }),
      runJob({ buffer: 'paper' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([1, 1, 1, 1]);
    expect(refused.map(({ log }) => log.trim().split('\n').at(-1))).toEqual([
      `error: job has format 4, this worker reads format ${FORMAT_VERSION}`,
      "error: this worker does no job of the kind 'fuzz'",
      "error: this worker has no operation 'encode'",
      "error: there is no buffer 'paper'",
    ]);
  });
});

/** @param {number} sum @param {number} each */
function add(sum, each) {
  return sum + each;
}

/** @returns {never} */
function fail() {
  throw new Error('nothing should be run');
}

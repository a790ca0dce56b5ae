import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { decodeFrames } from '../../harness/worker/frames.js';
import { PROJECT } from '../../harness/lib/project.js';
import { buildFamily } from '../../harness/variants/build-family.js';
import { validate } from '../../harness/formats/schemas.js';
import { describeToolchain } from '../../harness/testing/support/gates.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { family } from './family.js';
import { worker } from './worker.js';

const FOLDER = new URL('variants/', import.meta.url);
/** Faster than 50,000 rounds of multiplication and addition can be, one after the other: the loop is gone. */
const MIN_READING_NS = 20_000;
const SETTINGS = { warmUpMs: 2, warmUpCalls: 1, maxWarmUpMs: 20, batchCount: 2, batchMs: 1 };

const variants = await Promise.all(
  readdirSync(FOLDER).map(async (file) => {
    const { variant } = await import(new URL(file, FOLDER).href);
    return { name: file.replace('.js', ''), settings: variant.settings };
  }),
);
const { settings: serde } = /** @type {{ settings: Record<string, string> }} */ (
  variants.find(({ name }) => name === family.reference)
);
const { defaultCorpora: corpora = [], defaultOperations: operations } = family;
const cells = operations.flatMap((operation) => corpora.map((corpus) => ({ operation, corpus })));

await describeToolchain(family.name, 'the worker of rust-facet', () => {
  const directory = makeTestDirectory('rust-facet');
  const outputPath = join(directory, 'output.frames');
  /** @type {Map<string, ReturnType<typeof prepareCorpus>>} */
  const prepared = new Map();
  let executable = '';

  beforeAll(async () => {
    const place = { name: family.name, path: join(PROJECT.experimentsPath, family.name) };
    const { buildPath } = await buildFamily(place, worker, { cachePath: PROJECT.cachePath });
    ({ executable } = worker.command({ buildPath, packagePath: null, settings: {} }));
  });

  /** @param {string} label */
  function prepare(label) {
    const corpus = prepared.get(label) ?? prepareCorpus(label, { directory });
    prepared.set(label, corpus);
    return corpus;
  }

  /**
   * @param {string} kind
   * @param {{ corpus?: string | object, variant?: Record<string, string>, [name: string]: unknown
   *   }} job fields besides the defaults; `variant` are its settings
   * @returns {Promise<{ status: number | null, stderr: string, report: any }>}
   */
  async function runJob(kind, { corpus: label = 'foo', variant: settings = serde, ...rest }) {
    const corpus = typeof label === 'string' ? await prepare(label) : label;
    const variant = { spec: 'variant', modulePath: '/none', settings };
    const common = { formatVersion: FORMAT_VERSION, id: 'job', family: family.name };
    const job = { ...common, familyPath: '/none', kind, variant, corpus, operation: 'serialize' };
    const input = JSON.stringify({ ...job, ...rest });
    const { status, stdout, stderr } = spawnSync(executable, { input, encoding: 'utf8' });
    return { status, stderr, report: status === 0 ? JSON.parse(stdout) : null };
  }

  test.each(cells)('$operation $corpus has the same output with all variants', async (cell) => {
    const expected = await runJob('output', { ...cell, outputPath });
    expect(expected.report.outputDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
    for (const { name, settings } of variants) {
      const { report } = await runJob('output', { ...cell, variant: settings, outputPath });
      expect([name, report.outputDigest]).toEqual([name, expected.report.outputDigest]);
    }
  });

  test('documents with fields in the order of their struct are read and written unchanged', async () => {
    const { files } = await prepare('deep');
    for (const operation of operations) {
      await runJob('output', { operation, corpus: 'deep', outputPath });
      expect(decodeFrames(readFileSync(outputPath))).toEqual([
        { kind: 'bytes', bytes: readFileSync(files.canonical) },
      ]);
    }
  });

  test.each([
    ['output', { outputPath }],
    ['measure', { settings: SETTINGS }],
    ['allocation', {}],
    ['exercise', { work: { passes: 3 }, observer: null, observedPath: null }],
    ['exercise', { work: { warmUpMs: 1, recordMs: 2 }, observer: null, observedPath: null }],
  ])('the report of a job of kind %s matches the schema', async (kind, rest) => {
    const { report } = await runJob(kind, { corpus: 'movies', ...rest });
    expect(() => validate('worker-report', report)).not.toThrow();
    expect(report).toMatchObject({ jobId: 'job', kind, runtime: { name: 'rust' } });
  });

  test('a timed job reports the digest of its output, and readings of the reference loop', async () => {
    const { report } = await runJob('measure', { settings: SETTINGS });
    const checked = await runJob('output', { outputPath });
    expect(report.outputDigest).toBe(checked.report.outputDigest);
    const { batchNsPerDocument, documentsPerBatch, referenceLoopNs } = report.measurement;
    expect(batchNsPerDocument).toHaveLength(SETTINGS.batchCount);
    expect(documentsPerBatch).toBeGreaterThan(0);
    // Before each batch and after the last.
    expect(referenceLoopNs).toHaveLength(SETTINGS.batchCount + 1);
    expect(Math.min(...referenceLoopNs)).toBeGreaterThan(MIN_READING_NS);
  });

  test('an exercise job does the requested number of passes', async () => {
    const work = { passes: 3 };
    const { report } = await runJob('exercise', { corpus: 'movies', work });
    expect(report.exercise).toMatchObject({ documents: 300, collections: {} });
    expect(report.exercise.window.endMs).toBeGreaterThan(report.exercise.window.startMs);
  });

  test.each(
    variants.map((variant, index) => ({ ...variant, corpus: corpora[index % corpora.length] })),
  )('the allocations of $name on $corpus are exact', async ({ settings, corpus }) => {
    for (const operation of operations) {
      const job = { operation, corpus, variant: settings };
      const [first, second] = [await runJob('allocation', job), await runJob('allocation', job)];
      const { windowHeapBytes, allocations, documentsPerWindow } = first.report.result;
      expect(second.report.result).toEqual(first.report.result);
      expect(new Set(windowHeapBytes).size).toBe(1);
      for (const perDocument of [windowHeapBytes[0], allocations]) {
        expect(perDocument).toBeGreaterThan(0);
        expect(perDocument * documentsPerWindow).toBeCloseTo(
          Math.round(perDocument * documentsPerWindow),
          6,
        );
      }
    }
  });

  test.each([
    ['another format', { formatVersion: 4 }, 'job has format 4, this worker reads format 11'],
    ['another kind', { kind: 'collections' }, "job is of kind 'collections', this worker does"],
    ['an unknown operation', { operation: 'sort', outputPath }, "no operation 'sort' here"],
    ['a corpus without a struct', { corpus: 'flat', outputPath }, "no corpus 'flat' here"],
    ['an unknown path', { variant: { path: 'hope' }, outputPath }, "no path 'hope' here"],
    [
      'an axis that serde does not have',
      { variant: { path: 'serde', peek: 'clone' }, outputPath },
      'path=serde takes no peek',
    ],
    ['an invalid job', { outputPath: 5 }, 'job cannot be read'],
  ])('rejects %s', async (_, rest, message) => {
    const { status, stderr } = await runJob('output', rest);
    expect(stderr).toContain(`error: ${message}`);
    expect(status).toBe(1);
  });

  test('the tests of the crate pass', () => {
    const cwd = join(PROJECT.experimentsPath, family.name, 'crate');
    const targets = ['--lib', '--test', 'parser', '--test', 'serializer'];
    const args = ['test', '--locked', '--quiet', '--color=never', ...targets];
    // Compiles quickly: the dependencies have never been compiled for tests in a new clone.
    const quick = { CARGO_PROFILE_DEV_DEBUG: '0', CARGO_INCREMENTAL: '0' };
    const env = { ...process.env, ...quick };
    const { status, stdout, stderr } = spawnSync('cargo', args, { cwd, env, encoding: 'utf8' });
    const failed = status === 0 ? '' : stdout + stderr;
    expect(failed).toBe('');
  });

  test('a document that does not match its struct is reported', async () => {
    const { files } = await prepare('foo');
    const corpus = { name: 'foo-document', documentCount: 1, files };
    const { report } = await runJob('output', { operation: 'deserialize', corpus, outputPath });
    expect(report).toMatchObject({
      outputDigest: null,
      thrown: expect.stringContaining('document'),
    });
  });
});

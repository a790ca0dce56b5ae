/** The driver's operations against replay servers that work and that fail, here and as jobs of workers. */

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { prepareCorpus } from '../../../corpora/support/prepare.js';
import { FORMAT_VERSION } from '../../../harness/formats/format-version.js';
import { PROJECT } from '../../../harness/lib/project.js';
import { runWorker } from '../../../harness/run/process.js';
import { isLong, isRest, testLong, testMore } from '../../../harness/testing/support/gates.js';
import { digestFrames } from '../../../harness/worker/frames.js';
import { makeTestDirectory } from '../../../harness/testing/support/directories.js';
import { startServer } from './client.js';

/** @import { Job, MeasureReport } from '../../../harness/formats/types.ts' */

const familyPath = join(PROJECT.experimentsPath, 'js-bson');
const { cache, resolve } = createRequire(import.meta.url);
const packages = { mongodb: dirname(resolve('mongodb/package.json')) };
const bsonPath = createRequire(join(packages.mongodb, 'package.json')).resolve('bson');
const folder = makeTestDirectory('driver');
const outputPath = join(folder, 'output');
const corpus = await prepareCorpus('comments:12', { directory: folder });
const SETTINGS = { warmUpMs: 1, warmUpCalls: 0, maxWarmUpMs: 1, batchCount: 1, batchMs: 1 };
/** Except `http-find`, whose server ends with its process alone. */
const ALL_OPERATIONS = [
  'ping',
  'run-command',
  'find-one',
  'find-many',
  'find-to-array',
  'aggregate',
  'insert-one',
  'insert-many',
  'bulk-write',
  'mixed-load',
  'gridfs-upload',
  'gridfs-download',
];
/** The timed job writes. */
const USUAL = ['find-many'];
const OPERATIONS = isLong
  ? ALL_OPERATIONS.filter((name) => !isRest || !USUAL.includes(name))
  : USUAL;
const VARIANTS = ['linked-list', 'champion'];

/** @type {(() => Promise<void>)[]} */
const stops = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** @type {(job: object, variant?: string) => Promise<any>} report */
async function runJob(job, variant = 'linked-list') {
  const whole = {
    formatVersion: FORMAT_VERSION,
    id: 'a job',
    family: 'js-bson',
    familyPath,
    variant: {
      spec: variant,
      modulePath: join(familyPath, 'variants', `${variant}.js`),
      settings: {},
    },
    corpus,
    packages,
    ...job,
  };
  const outcome = await runWorker(/** @type {Job} */ (/** @type {unknown} */ (whole)), {
    executable: process.execPath,
    args: [PROJECT.workerPath],
    environment: {},
    timeoutMs: 300_000,
  });
  if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
  return outcome.report;
}

/** @type {(...faults: string[]) => Promise<{ server: { name: string, address: string } }>} that fails so */
async function openServer(...faults) {
  const { uri, stop } = await startServer('replay-server', faults);
  stops.push(stop);
  return { server: { name: 'replay', address: uri } };
}

/** Removes the driver and its package bson, so that it can be loaded with another variant. */
function forgetDriver() {
  const isOfDriver = (/** @type {string} */ path) =>
    path.startsWith(packages.mongodb) || path === bsonPath;
  for (const path of Object.keys(cache).filter(isOfDriver)) delete cache[path];
}
afterEach(forgetDriver);

/**
 * @param {string} name of an operation
 * @param {{ server: { name: string, address: string } }} opened
 * @param {string} [variant]
 * @returns {Promise<Uint8Array[]>} its output, in this process
 */
async function observe(name, { server }, variant = 'linked-list') {
  forgetDriver();
  const { operation } = await import(`../operations/${name}.js`);
  const module = await import(`../variants/${variant}.js`);
  /** @type {(() => Promise<unknown>)[]} */
  const ends = [];
  const atEnd = (/** @type {() => Promise<unknown>} */ end) => ends.push(end);
  const state = await operation.prepare(module, corpus, { packages, server, atEnd });
  const frames = await operation.output(state);
  for (const end of ends) await end();
  await state.context.db.client.close();
  return frames;
}

describe('an operation', () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  beforeAll(async () => {
    server = await startServer('replay-server');
  });
  afterAll(() => server.stop());

  testMore.each(OPERATIONS)('%s has the same output with every variant', async (operation) => {
    const digests = [];
    for (const variant of VARIANTS) {
      const opened = { server: { name: 'replay', address: server.uri } };
      const frames = await observe(operation, opened, variant);
      expect(frames.length).toBeGreaterThan(0);
      digests.push(digestFrames(frames));
    }
    expect(new Set(digests).size).toBe(1);
  });
});

testLong('a timed job reports CPU time per call, and the same output', async () => {
  const job = { kind: 'measure', operation: 'insert-many', settings: SETTINGS };
  const { measurement, outputDigest } = /** @type {MeasureReport} */ (await runJob(job));
  expect(measurement.batchNsPerDocument).toHaveLength(1);
  expect(measurement.batchNsPerDocument[0]).toBeGreaterThan(1_000);
  expect(measurement.autogroupRaised).toBe(false);
  expect(digestFrames(await observe('insert-many', await openServer()))).toBe(outputDigest);
});

test('a driver that does not call the variant is refused', async () => {
  const other = join(folder, 'no-driver');
  await expect(
    runJob({ kind: 'output', operation: 'ping', outputPath, packages: { mongodb: other } }),
  ).resolves.toMatchObject({ thrown: expect.stringContaining("Cannot find module 'bson'") });
});

testLong('an HTTP server has the same output with every variant', async () => {
  const job = { kind: 'output', operation: 'http-find', outputPath };
  const reports = await Promise.all(['linked-list', 'champion'].map((name) => runJob(job, name)));
  expect(reports[0].outputDigest).toMatch(/^sha256:/);
  expect(reports[1].outputDigest).toBe(reports[0].outputDigest);
});

describe('a server that fails', () => {
  testLong.each([
    ['reset', /MongoNetworkError|ECONNRESET/],
    ['exit', /MongoNetworkError|ECONNRESET|closed/],
    ['silent', /MongoNetworkTimeoutError|timed out/],
    ['truncated', /^BSONOffsetError: BSON documents must end in 0x00/],
  ])('by %s fails the job with its error', async (fault, message) => {
    const job = { kind: 'output', operation: 'find-to-array', outputPath };
    const report = await runJob({ ...job, ...(await openServer(fault)) });
    expect(report.outputDigest).toBeNull();
    expect(report.thrown).toMatch(message);
  });

  // The driver does not look at checksums.
  test('by another letter and a wrong checksum is noticed by the gate', async () => {
    const expected = await observe('find-to-array', await openServer());
    const found = await observe('find-to-array', await openServer('checksum'));
    expect(found).not.toEqual(expected);
  });

  testLong('by slowness alone fails nothing', async () => {
    const expected = await observe('find-to-array', await openServer());
    expect(await observe('find-to-array', await openServer('slow'))).toEqual(expected);
  });
});

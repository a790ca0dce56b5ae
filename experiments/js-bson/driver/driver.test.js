/** Jobs of the driver's operations, in workers, against replay servers that work and that fail. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { prepareCorpus } from '../../../corpora/support/prepare.js';
import { FORMAT_VERSION } from '../../../harness/formats/format-version.js';
import { PROJECT } from '../../../harness/lib/project.js';
import { runWorker } from '../../../harness/run/process.js';
import { isLong, testLong, testMore } from '../../../harness/testing/support/gates.js';
import { decodeFrames } from '../../../harness/worker/frames.js';
import { makeTestDirectory } from '../../../harness/testing/support/directories.js';
import { startServer } from './client.js';

/** @import { Job, MeasureReport, OutputReport } from '../../../harness/formats/types.ts' */

const familyPath = join(PROJECT.experimentsPath, 'js-bson');
const { resolve } = createRequire(import.meta.url);
const packages = { mongodb: dirname(resolve('mongodb/package.json')) };
const folder = makeTestDirectory('driver');
const outputPath = join(folder, 'output');
const corpus = await prepareCorpus('comments:12', { directory: folder });
const SETTINGS = { warmUpMs: 1, warmUpCalls: 0, maxWarmUpMs: 1, batchCount: 1, batchMs: 1 };
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
  'http-find',
];
/** One that reads, one that writes. */
const OPERATIONS = isLong ? ALL_OPERATIONS : ['find-many', 'insert-many'];
const VARIANTS = isLong ? ['linked-list', 'generator', 'champion'] : ['linked-list', 'champion'];

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
    timeoutMs: 30_000,
  });
  if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
  return outcome.report;
}

/** @type {(fault: string) => Promise<object>} a server that fails so, in a job */
async function openFaulty(fault) {
  const { uri, stop } = await startServer('replay-server', [fault]);
  stops.push(stop);
  return { server: { name: 'replay', address: uri } };
}

testMore.each(OPERATIONS)('%s has the same output with every variant', async (operation) => {
  const digests = [];
  for (const variant of VARIANTS) {
    const job = { kind: 'output', operation, outputPath };
    const report = /** @type {OutputReport} */ (await runJob(job, variant));
    expect(report.thrown).toBeUndefined();
    expect(decodeFrames(readFileSync(outputPath)).length).toBeGreaterThan(0);
    digests.push(report.outputDigest);
  }
  expect(new Set(digests).size).toBe(1);
});

test('a timed job reports CPU time per call, and the same output', async () => {
  const operation = 'find-many';
  const job = { kind: 'measure', operation, settings: SETTINGS };
  const { measurement, outputDigest } = /** @type {MeasureReport} */ (await runJob(job));
  expect(measurement.batchNsPerDocument).toHaveLength(1);
  expect(measurement.batchNsPerDocument[0]).toBeGreaterThan(1_000);
  expect(measurement.autogroupRaised).toBe(false);
  expect((await runJob({ kind: 'output', operation, outputPath })).outputDigest).toBe(outputDigest);
});

test('a driver that does not call the variant is refused', async () => {
  const other = join(folder, 'no-driver');
  await expect(
    runJob({ kind: 'output', operation: 'ping', outputPath, packages: { mongodb: other } }),
  ).resolves.toMatchObject({ thrown: expect.stringContaining("Cannot find module 'bson'") });
});

describe('a server that fails', () => {
  testLong.each([
    ['reset', /MongoNetworkError|ECONNRESET/],
    ['exit', /MongoNetworkError|ECONNRESET|closed/],
    ['silent', /MongoNetworkTimeoutError|timed out/],
    ['truncated', /^BSONOffsetError: BSON documents must end in 0x00/],
  ])('by %s fails the job with its error', async (fault, message) => {
    const job = { kind: 'output', operation: 'find-to-array', outputPath };
    const report = await runJob({ ...job, ...(await openFaulty(fault)) });
    expect(report.outputDigest).toBeNull();
    expect(report.thrown).toMatch(message);
  });

  // The driver does not look at checksums.
  test('by another letter and a wrong checksum is noticed by the gate', async () => {
    const job = { kind: 'output', operation: 'find-to-array', outputPath };
    const { outputDigest } = await runJob(job);
    const wrong = await runJob({ ...job, ...(await openFaulty('checksum')) });
    expect(wrong.thrown).toBeUndefined();
    expect(wrong.outputDigest).not.toBe(outputDigest);
  });

  testLong('by slowness alone fails nothing', async () => {
    const job = { kind: 'output', operation: 'find-to-array', outputPath };
    const { outputDigest } = await runJob(job);
    const late = await runJob({ ...job, ...(await openFaulty('slow')) });
    expect(late.outputDigest).toBe(outputDigest);
  });
});

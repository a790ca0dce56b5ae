import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeFrames } from '../worker/frames.js';
import { openJobRunner } from './job-runner.js';
import { validate } from '../formats/schemas.js';
import { openFakeWorkers } from '../testing/support/fake-workers.js';

/** @import { Job } from '../formats/types.ts' */
/** @import { WorkerOutcome } from './run-worker.js' */

const session = { environment: process.env, signal: new AbortController().signal };
const runJob = openJobRunner([], session);

/** @type {Awaited<ReturnType<typeof openFakeWorkers>>} */
let programs;
beforeAll(async () => {
  programs = await openFakeWorkers();
});
afterAll(() => programs.remove());
afterEach(() => expect(programs.listProcesses()).toEqual([]));

/** @param {WorkerOutcome} outcome */
function reportOf(outcome) {
  if ('failure' in outcome) throw new Error(JSON.stringify(outcome.failure));
  return /** @type {any} */ (outcome.report);
}

/**
 * @param {string} behaviour
 * @param {'output' | 'measure'} [kind]
 */
async function failWith(behaviour, kind = 'measure') {
  const outcome = await runJob(programs.makeJob(kind, { behaviour }));
  if ('report' in outcome) throw new Error('the program did not fail');
  return outcome.failure;
}

describe('a program that does its job', () => {
  test.each(/** @type {const} */ (['output', 'measure', 'exercise', 'allocation']))(
    '%s: its job and its report are of the published format',
    async (kind) => {
      const job = programs.makeJob(kind);
      validate('job', job);
      const report = reportOf(await runJob(job));
      validate('worker-report', report);
      expect(report).toMatchObject({ jobId: job.id, kind, runtime: { name: 'program' } });
    },
  );

  test('writes frames whose digest it reports, and the timed code makes the same', async () => {
    const job = /** @type {Extract<Job, { kind: 'output' }>} */ (programs.makeJob('output'));
    const { outputDigest } = reportOf(await runJob(job));
    const timed = reportOf(await runJob(programs.makeJob('measure')));
    expect(timed.outputDigest).toBe(outputDigest);
    const [document] = decodeFrames(readFileSync(job.outputPath));
    const canonical = readFileSync(job.corpus.files.canonical);
    expect(Buffer.from(document).reverse()).toEqual(canonical.subarray(0, document.length));
  });

  test('may say as much as it likes in its log', async () => {
    const outcome = await runJob(programs.makeJob('measure', { behaviour: 'floods-stderr' }));
    expect(reportOf(outcome).kind).toBe('measure');
  });

  test('is given neither flags of node nor another Node', async () => {
    const flagged = openJobRunner(['--no-such-flag'], session);
    expect(reportOf(await flagged(programs.makeJob('measure'))).kind).toBe('measure');
  });
});

/** More ways, of both kinds of worker, are in `faults/faults.js`. */
describe('a program that fails', () => {
  test('by a signal: its name and the last that it said', async () => {
    expect(await failWith('segfaults')).toEqual({
      reason: 'signal',
      detail: 'ended by SIGSEGV',
      lastLines: ['about to read from nowhere'],
    });
  });

  test('by refusing a job of another format: what it said', async () => {
    const outcome = await runJob(
      /** @type {any} */ ({
        ...programs.makeJob('measure'),
        formatVersion: 4,
      }),
    );
    expect(outcome).toMatchObject({
      failure: { lastLines: ['job has format 4, this program reads format 6'] },
    });
  });

  test('in the check by an error of its own: that is an answer', async () => {
    const outcome = await runJob(programs.makeJob('output', { behaviour: 'throws' }));
    expect(reportOf(outcome)).toMatchObject({
      outputDigest: null,
      thrown: expect.stringContaining('out of bounds'),
    });
  });
});

describe('a program that does not end', () => {
  test('is killed when the run is interrupted', async () => {
    const interrupts = new AbortController();
    const { signal } = interrupts;
    const running = openJobRunner([], { ...session, signal })(
      programs.makeJob('measure', { behaviour: 'hangs' }),
    );
    while (programs.listProcesses().length === 0) await sleep(20);
    interrupts.abort();
    expect(await running).toMatchObject({ failure: { reason: 'signal' } });
  });
});

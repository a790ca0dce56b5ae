/** Each row of the table of faults, in one job of each kind of worker that can fail so. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openJobRunner } from '../../run/jobs.js';
import { openFakeWorkers } from '../support/fake-workers.js';
import { describeLong, testLong } from '../support/gates.js';
import { expectNoProcesses } from '../support/project.js';
import { listFaults } from './faults.js';

/** @import { WorkerOutcome } from '../../run/process.js' */
/** @import { WorkerKind } from '../support/project.js' */
/** @import { Fault } from './faults.js' */

/** Memory that the harness may gain, whatever a worker writes. */
const MAX_GROWTH_BYTES = 150e6;
/** The time limit of a job and a grace period to exit in. */
const MAX_MS = 32_000;
/** A worker that runs out of memory must not take all of the machine's. */
const NODE_FLAGS = ['--max-old-space-size=32'];
/** Ten times what a worker needs to start. */
const SHORT_TIMEOUT_MS = 400;

/** @type {Awaited<ReturnType<typeof openFakeWorkers>>} */
let workers;
/** @type {ReturnType<typeof openJobRunner>} */
let runOne;
beforeAll(async () => {
  workers = await openFakeWorkers();
  const temporary = join(workers.directory, 'temporary');
  mkdirSync(temporary);
  const environment = { ...process.env, TMPDIR: temporary };
  const session = { environment, signal: new AbortController().signal };
  runOne = openJobRunner(NODE_FLAGS, session);
});
afterAll(() => workers.remove());
afterEach(() => expectNoProcesses(workers.listProcesses));

/**
 * @param {WorkerKind} kind
 * @param {Record<string, string>} settings
 * @param {boolean} [isEndless]
 */
function runJob(kind, settings, isEndless = false) {
  const how = isEndless ? { timeoutMs: SHORT_TIMEOUT_MS } : {};
  return runOne(workers.makeJob('measure', settings, kind), how);
}

/** @param {WorkerOutcome} outcome */
function failureOf(outcome) {
  if ('failure' in outcome) return outcome.failure;
  throw new Error('the worker did not fail');
}

for (const kind of /** @type {WorkerKind[]} */ (['script', 'program'])) {
  // The processes of both are handled alike.
  const run = kind === 'script' ? describeLong : describe;
  run(`a ${kind} worker`, () => describeFaults(kind));
}

/** @param {WorkerKind} kind */
function describeFaults(kind) {
  for (const fault of listFaults(kind)) {
    const run = fault.isLong === true ? testLong : test;
    const outcome = fault.reason === null ? 'its report counts' : fault.reason;
    run(`that ${fault.what}: ${outcome}`, () => expectFault(kind, fault));
  }

  test('that is killed by another process in the middle of its job: signal', async () => {
    const running = runJob(kind, { behaviour: 'hangs', when: 'timed' });
    while (workers.listProcesses().length === 0) await sleep(20);
    for (const { pid } of workers.listProcesses()) process.kill(pid, 'SIGKILL');
    expect(failureOf(await running)).toMatchObject({ detail: 'ended by SIGKILL' });
  });
}

/** @param {WorkerKind} kind  @param {Fault} fault */
async function expectFault(kind, { behaviour, reason, detail, isEndless, child, when = 'timed' }) {
  const residentBytes = process.memoryUsage().rss;
  const outcome = await runJob(kind, { behaviour, when }, isEndless);
  if (reason === null) {
    expect(outcome).toMatchObject({ report: { kind: 'measure' } });
  } else {
    const failure = failureOf(outcome);
    expect(failure.reason).toBe(reason);
    expect(failure.detail).toMatch(detail ?? /./);
    if (child === 'survives') await endChild(failure.lastLines);
  }
  expect(outcome.workerMs).toBeLessThan(MAX_MS);
  expect(process.memoryUsage().rss - residentBytes).toBeLessThan(MAX_GROWTH_BYTES);
}

/** @param {string[]} lastLines that name its process */
async function endChild(lastLines) {
  const child = Number(/child (\d+)/.exec(lastLines.join('\n'))?.[1]);
  process.kill(child, 'SIGKILL');
  while (workers.listProcesses().some(({ pid }) => pid === child)) await sleep(10);
}

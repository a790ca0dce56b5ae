import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { testLong } from '../support/test-long.js';
import { listFaults } from './faults.js';
import { openWorkers } from './open-workers.js';

/** @import { WorkerOutcome } from '../../run/run-worker.js' */
/** @import { Fault, WorkerKind } from './faults.js' */

/** What the harness may grow by, whatever a worker writes. */
const MOST_GROWTH_BYTES = 150e6;
/** The limit of a job, and a grace to end in. */
const MOST_MS = 32_000;

/**
 * Holds one kind of worker against the table. Used by tests only.
 *
 * @param {WorkerKind} kind
 */
export function describeWorkerFaults(kind) {
  jest.setTimeout(60_000);
  /** @type {Awaited<ReturnType<typeof openWorkers>>} */
  let workers;
  beforeAll(async () => {
    workers = await openWorkers();
  });
  afterAll(() => workers.remove());
  afterEach(() => expect(workers.listProcesses()).toEqual([]));

  describe(`a ${kind} worker`, () => {
    for (const fault of listFaults(kind)) {
      const run = fault.isLong === true ? testLong : test;
      const ends = fault.reason === null ? 'its report counts' : fault.reason;
      run(`that ${fault.what}: ${ends}`, () => expectFault(workers, kind, fault));
    }

    test('that is killed by another in the middle of its job: signal', async () => {
      const running = workers.runJob(kind, { behaviour: 'hangs', when: 'timed' });
      while (workers.listProcesses().length === 0) await sleep(20);
      for (const pid of workers.listProcesses()) process.kill(Number(pid), 'SIGKILL');
      expect(failureOf(await running)).toMatchObject({ detail: 'ended by SIGKILL' });
    });
  });
}

/** @param {WorkerOutcome} outcome */
function failureOf(outcome) {
  if ('failure' in outcome) return outcome.failure;
  throw new Error('the worker did not fail');
}

/**
 * @param {Awaited<ReturnType<typeof openWorkers>>} workers
 * @param {WorkerKind} kind
 * @param {Fault} fault
 */
async function expectFault(
  workers,
  kind,
  { behaviour, reason, detail, isEndless, child, when = 'timed' },
) {
  const residentBytes = process.memoryUsage().rss;
  const outcome = await workers.runJob(kind, { behaviour, when }, isEndless);
  if (reason === null) {
    expect(outcome).toMatchObject({ report: { kind: 'measure' } });
  } else {
    const failure = failureOf(outcome);
    expect(failure.reason).toBe(reason);
    expect(failure.detail).toMatch(detail ?? /./);
    if (child === 'survives') endChild(failure.lastLines);
  }
  expect(outcome.workerMs).toBeLessThan(MOST_MS);
  expect(process.memoryUsage().rss - residentBytes).toBeLessThan(MOST_GROWTH_BYTES);
}

/** @param {string[]} lastLines in which it was named */
function endChild(lastLines) {
  process.kill(Number(/child (\d+)/.exec(lastLines.join('\n'))?.[1]), 'SIGKILL');
}

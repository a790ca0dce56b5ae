import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { measureMemory } from './memory.js';
import { planMemoryJobs } from '../../stats/memory/plan.js';

/** @import { CorpusMemoryJob, Job, MemoryObservation } from '../../formats/types.ts' */
/** @import { PassContext } from './pass.js' */
/** @import { WorkerOutcome } from '../process.js' */

const manifest = makeManifest();
const planned = planMemoryJobs(manifest.question, manifest.corpora);
/** @type {WorkerOutcome} */
const FAILURE = {
  workerMs: 1,
  failure: { reason: 'signal', detail: 'ended by SIGKILL', lastLines: [] },
};

/**
 * @param {Job} job
 * @returns {WorkerOutcome}
 */
function succeed({ id }) {
  const runtime = { name: 'node', version: '20.0.0', flags: [] };
  const result = { kind: /** @type {const} */ ('retained-slope'), points: [] };
  const report = { formatVersion: FORMAT_VERSION, jobId: id, kind: result.kind, runtime, result };
  return { workerMs: 5, report };
}

/**
 * @param {(job: Job) => WorkerOutcome} run
 * @param {Partial<PassContext<MemoryObservation>>} [changes]
 */
function makeContext(run, changes = {}) {
  /** @type {Job[]} */
  const jobs = [];
  /** @type {MemoryObservation[]} */
  const kept = [];
  /** @type {PassContext<MemoryObservation>} */
  const context = {
    manifest,
    familyPath: '/assay/experiments/js-bson',
    observations: [],
    runJob: async (job) => {
      jobs.push(job);
      return run(job);
    },
    append: (observation) => kept.push(observation),
    onProgress: () => {},
    clock: { elapsedMs: () => 7, sessionMs: () => 0 },
    untilMs: Infinity,
    signal: new AbortController().signal,
    ...changes,
  };
  return { context, jobs, kept };
}

describe('the memory pass', () => {
  test('runs only the kinds of jobs that the family supports', async () => {
    const question = { ...manifest.question, memoryKinds: [/** @type {const} */ ('allocation')] };
    const { context, jobs } = makeContext(succeed, { manifest: { ...manifest, question } });
    await expect(measureMemory(context)).resolves.toBe('complete');
    expect(new Set(jobs.map(({ kind }) => kind))).toEqual(new Set(['allocation']));
  });

  test('runs every planned job once and keeps its observation', async () => {
    const { context, jobs, kept } = makeContext(succeed);
    await expect(measureMemory(context)).resolves.toBe('complete');
    expect(jobs.map(({ id }) => id)).toEqual(planned.map(({ id }) => id));
    expect(kept.map(({ id, outcome }) => [id, outcome])).toEqual(
      planned.map(({ id }) => [id, 'done']),
    );
    expect(context.observations).toEqual(kept);
  });

  test('measures the candidate in its own arm and the baseline in the other two', async () => {
    const { context, jobs } = makeContext(succeed);
    await measureMemory(context);
    for (const { id, variant } of jobs) {
      expect([id, variant.spec]).toEqual([
        id,
        id.endsWith('/candidate') ? 'linked-list' : 'generator',
      ]);
    }
  });

  test('runs a job of a cell or of its corpus under the Node of the cell', async () => {
    const cells = manifest.question.cells.map((cell) => ({ ...cell, node: '22.11.0' }));
    const question = { ...manifest.question, cells };
    const { context, jobs } = makeContext(succeed, { manifest: { ...manifest, question } });
    await measureMemory(context);
    expect(new Set(jobs.map(({ kind }) => kind)).size).toBe(4);
    expect(new Set(jobs.map(({ node }) => node))).toEqual(new Set(['22.11.0']));
  });

  test('a job that holds documents has their number and no operation', async () => {
    const { context, jobs } = makeContext(succeed);
    await measureMemory(context);
    const held = jobs.filter(({ kind }) => kind.startsWith('retained-'));
    expect(held.length).toBeGreaterThan(0);
    for (const job of held) {
      expect(job).not.toHaveProperty('operation');
      const { corpus, documentCount } = /** @type {CorpusMemoryJob} */ (job);
      expect([corpus.label, documentCount > 0]).toEqual([job.id.split('/')[1], true]);
    }
  });

  test('resumes where an earlier session ended', async () => {
    const first = makeContext(succeed);
    await measureMemory(first.context);
    const earlier = first.kept.slice(0, 5);
    const { context, jobs } = makeContext(succeed, { observations: earlier });
    await expect(measureMemory(context)).resolves.toBe('complete');
    expect(jobs.map(({ id }) => id)).toEqual(planned.slice(5).map(({ id }) => id));
  });

  test('stops at its budget, and resumes with another', async () => {
    const first = makeContext(succeed);
    first.context.clock.sessionMs = () => first.jobs.length;
    first.context.untilMs = 3;
    await expect(measureMemory(first.context)).resolves.toBe('budget');
    expect(first.kept.map(({ id }) => id)).toEqual(planned.slice(0, 4).map(({ id }) => id));
    const { context, jobs } = makeContext(succeed, { observations: first.kept });
    await expect(measureMemory(context)).resolves.toBe('complete');
    expect(jobs.map(({ id }) => id)).toEqual(planned.slice(4).map(({ id }) => id));
  });

  test('estimates the remaining time from the first job on, by jobs of the same kind', async () => {
    /** @type {Map<string, number>} */
    const seconds = new Map();
    const run = (/** @type {Job} */ job) => ({
      ...succeed(job),
      workerMs: job.kind === 'allocation' ? 1000 : 3000,
    });
    const { context } = makeContext(run, {
      onProgress: ({ step, secondsLeft }) =>
        seconds.set(step.replace(/^memory · (.*) · job .*$/, '$1'), Number(secondsLeft)),
    });
    await measureMemory(context);
    const [first, second] = planned;
    const last = planned[planned.length - 1];
    expect(seconds.get(first.id)).toBeNaN();
    expect(seconds.get(second.id)).toBe(planned.length - 1);
    expect(seconds.get(last.id)).toBe(3);
  });

  test('retries a failed job once and continues with the others', async () => {
    const [victim] = planned;
    const { context, kept } = makeContext((job) => (job.id === victim.id ? FAILURE : succeed(job)));
    await expect(measureMemory(context)).resolves.toBe('failed');
    const attempts = kept.filter(({ id }) => id === victim.id);
    expect(attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'failed'],
      [2, 'failed'],
    ]);
    expect(kept.length).toBe(planned.length + 1);
  });

  test('discards the job during which it was interrupted', async () => {
    let ran = 0;
    const interrupts = new AbortController();
    const { context, kept } = makeContext(
      (job) => {
        ran++;
        if (ran < 3) return succeed(job);
        interrupts.abort();
        return FAILURE;
      },
      { signal: interrupts.signal },
    );
    await expect(measureMemory(context)).resolves.toBe('interrupted');
    expect(kept.length).toBe(2);
  });
});

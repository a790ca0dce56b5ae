import { makeManifest } from '../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { planMemoryJobs } from '../../stats/memory/plan.js';
import { execute } from '../execute.js';
import { openMemoryPass } from './memory.js';
import { makeContext } from './test-support/make-context.js';

/** @import { CorpusMemoryJob, Job, MemoryObservation, Question } from '../../formats/types.ts' */
/** @import { WorkerOutcome } from '../process.js' */

const manifest = makeManifest();
const planned = planMemoryJobs(manifest.question, manifest.corpora);
const plannedIds = planned.map(({ id }) => id);
/** @type {WorkerOutcome} */
const FAILURE = {
  workerMs: 1,
  failure: { reason: 'signal', detail: 'ended by SIGKILL', lastLines: [] },
};

/** @type {(job: Job) => WorkerOutcome} */
function succeed({ id }) {
  const runtime = { name: 'node', version: '20.0.0', flags: [] };
  const result = { kind: /** @type {const} */ ('retained-slope'), points: [] };
  const report = { formatVersion: FORMAT_VERSION, jobId: id, kind: result.kind, runtime, result };
  return { workerMs: 5, report };
}

/**
 * @param {object} [choice]
 * @param {(job: Job) => WorkerOutcome} [choice.run]
 * @param {Partial<Question>} [choice.question] changes of it
 * @param {MemoryObservation[]} [choice.earlier] of earlier sessions
 */
async function measure({ run = succeed, question = {}, earlier = [] } = {}) {
  /** @type {Job[]} */
  const jobs = [];
  const observations = [...earlier];
  const setting = {
    manifest: { ...manifest, question: { ...manifest.question, ...question } },
    familyPath: '/assay/experiments/js-bson',
  };
  const context = makeContext(async (job) => {
    jobs.push(job);
    return run(job);
  });
  const ended = await execute(openMemoryPass(setting), { ...context, observations });
  return { ended, jobs, observations };
}

describe('the memory pass', () => {
  test('runs every planned job once, the candidate in its own arm alone', async () => {
    const { ended, jobs, observations } = await measure();
    expect(ended).toBe('complete');
    expect(jobs.map(({ id, variant }) => [id, variant.spec])).toEqual(
      plannedIds.map((id) => [id, id.endsWith('/candidate') ? 'linked-list' : 'generator']),
    );
    expect(observations.map(({ id, outcome }) => [id, outcome])).toEqual(
      plannedIds.map((id) => [id, 'done']),
    );
  });

  test('runs only the kinds of jobs that the family supports', async () => {
    const { ended, jobs } = await measure({ question: { memoryKinds: ['allocation'] } });
    expect(ended).toBe('complete');
    expect(new Set(jobs.map(({ kind }) => kind))).toEqual(new Set(['allocation']));
  });

  test('runs a job of a cell or of its corpus under the runtime of the cell', async () => {
    const cells = manifest.question.cells.map((cell) => ({ ...cell, runtime: 'node@22.11.0' }));
    const { jobs } = await measure({ question: { cells } });
    expect(new Set(jobs.map(({ kind }) => kind)).size).toBe(4);
    expect(new Set(jobs.map(({ runtime }) => runtime))).toEqual(new Set(['node@22.11.0']));
  });

  test('gives a job that holds documents their number and no operation', async () => {
    const { jobs } = await measure();
    const held = jobs.filter(({ kind }) => kind.startsWith('retained-'));
    expect(held.length).toBeGreaterThan(0);
    for (const job of held) {
      expect(job).not.toHaveProperty('operation');
      const { corpus, documentCount } = /** @type {CorpusMemoryJob} */ (job);
      expect([corpus.label, documentCount > 0]).toEqual([job.id.split('/')[1], true]);
    }
  });

  test('resumes where an earlier session ended', async () => {
    const { observations } = await measure();
    const { ended, jobs } = await measure({ earlier: observations.slice(0, 5) });
    expect(ended).toBe('complete');
    expect(jobs.map(({ id }) => id)).toEqual(plannedIds.slice(5));
  });

  test('retries a failed job once and continues with the others', async () => {
    const [victim] = plannedIds;
    const { ended, observations } = await measure({
      run: (job) => (job.id === victim ? FAILURE : succeed(job)),
    });
    expect(ended).toBe('failed');
    expect(observations).toHaveLength(planned.length + 1);
    expect(observations.filter(({ id }) => id === victim)).toMatchObject([
      { attempt: 1, outcome: 'failed' },
      { attempt: 2, outcome: 'failed' },
    ]);
  });
});

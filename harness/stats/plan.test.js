import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/fixtures/build.js';
import { ARMS, planJobs } from './plan.js';

const CELLS = ['flat', 'deep', 'full'].map((corpus) => ({
  id: `serialize ${corpus}`,
  operation: 'serialize',
  corpus,
}));

const questionWith = (/** @type {number} */ seed) => makeManifest({ cells: CELLS, seed }).question;
const jobsOf = (/** @type {number} */ seed) =>
  planJobs(questionWith(seed), CELLS, { from: 0, to: 12 });

describe('the plan of a stage', () => {
  test('has the requested number of processes for every arm of every cell', () => {
    const jobs = jobsOf(1);
    for (const cell of CELLS) {
      for (const arm of ARMS) {
        const own = jobs.filter((job) => job.cellId === cell.id && job.arm === arm);
        expect(own).toHaveLength(12);
      }
    }
  });

  test('runs each block without interruption, mirrored', () => {
    const jobs = jobsOf(2);
    const blockLength = 2 * ARMS.length;
    for (let start = 0; start < jobs.length; start += blockLength) {
      const block = jobs.slice(start, start + blockLength);
      expect(new Set(block.map((job) => `${job.cellId} ${job.block}`)).size).toBe(1);
      const arms = block.map(({ arm }) => arm);
      expect(arms).toEqual(arms.toReversed());
      expect(new Set(arms)).toEqual(new Set(ARMS));
    }
  });

  test('starts blocks about equally often with each arm', () => {
    const starts = new Map(ARMS.map((arm) => [arm, 0]));
    for (let seed = 0; seed < 100; seed++) {
      for (const job of jobsOf(seed)) {
        if (job.position === 0) starts.set(job.arm, Number(starts.get(job.arm)) + 1);
      }
    }
    // 1800 blocks, a third each; four standard deviations are 80.
    for (const count of starts.values()) expect(Math.abs(count - 600)).toBeLessThan(80);
  });

  test('depends on the seed', () => {
    expect(jobsOf(7)).toEqual(jobsOf(7));
    expect(jobsOf(7)).not.toEqual(jobsOf(8));
  });

  test('orders a cell in the same way whatever other cells are still measuring', () => {
    const stage = { from: 12, to: 24 };
    const alone = planJobs(questionWith(3), [CELLS[1]], stage);
    const together = planJobs(questionWith(3), CELLS, stage);
    expect(together.filter(({ cellId }) => cellId === CELLS[1].id)).toEqual(alone);
  });

  test('never repeats an id over the stages of a run', () => {
    const question = questionWith(4);
    const jobs = [
      ...planJobs(question, CELLS, { from: 0, to: 12 }),
      ...planJobs(question, CELLS, { from: 12, to: 24 }),
    ];
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
  });
});

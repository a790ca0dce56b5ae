import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/fixtures/build.js';
import {
  ARMS,
  PROCESSES_PER_BLOCK,
  countJobs,
  countPerVariant,
  forEachArm,
  planJobs,
} from './plan.js';

const CELLS = ['flat', 'deep', 'full'].map((corpus) => ({
  id: `serialize ${corpus}`,
  operation: 'serialize',
  corpus,
}));

const questionWith = (/** @type {number} */ seed) => makeManifest({ cells: CELLS, seed }).question;
const jobsOf = (/** @type {number} */ seed) =>
  planJobs(questionWith(seed), CELLS, { from: 0, to: 12 });

describe('the plan of a stage', () => {
  test('has as many processes of the candidate as of baseline and control together', () => {
    const jobs = jobsOf(1);
    for (const { id } of CELLS) {
      const counts = forEachArm(
        (arm) => jobs.filter((job) => job.cellId === id && job.arm === arm).length,
      );
      expect(counts).toEqual({ baseline: 6, candidate: 12, control: 6 });
      expect(countPerVariant(counts)).toBe(12);
    }
    expect(jobs).toHaveLength(CELLS.length * countJobs(12));
  });

  test('runs each block without interruption, mirrored', () => {
    const jobs = jobsOf(2);
    const blockLength = countJobs(PROCESSES_PER_BLOCK);
    for (let start = 0; start < jobs.length; start += blockLength) {
      const block = jobs.slice(start, start + blockLength);
      expect(new Set(block.map((job) => `${job.cellId} ${job.block}`)).size).toBe(1);
      const arms = block.map(({ arm }) => arm);
      expect(arms).toEqual(arms.toReversed());
      expect(new Set(arms)).toEqual(new Set(ARMS));
    }
  });

  test('starts half of the blocks with the candidate', () => {
    const starts = new Map(ARMS.map((arm) => [arm, 0]));
    for (let seed = 0; seed < 200; seed++) {
      for (const job of jobsOf(seed)) {
        if (job.position === 0) starts.set(job.arm, Number(starts.get(job.arm)) + 1);
      }
    }
    // 1800 blocks; four standard deviations are 85.
    expect(Math.abs(Number(starts.get('candidate')) - 900)).toBeLessThan(85);
    expect(Math.abs(Number(starts.get('baseline')) - 450)).toBeLessThan(85);
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

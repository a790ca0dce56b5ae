import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/fixtures/build.js';
import { ARMS, countDocumentsToHold, isTooLarge, planJobs, planMemoryJobs } from './plan.js';

/** @import { Question } from '../formats/types.ts' */

const CELLS = ['flat', 'deep', 'full'].map((corpus) => ({
  id: `serialize ${corpus}`,
  operation: 'serialize',
  corpus,
}));

/**
 * @param {number} seed
 * @returns {Question}
 */
function questionWith(seed) {
  return {
    family: 'any',
    baseline: 'a',
    candidate: 'b',
    cells: CELLS,
    minimumEffect: 0.03,
    alpha: 0.05,
    looks: [12, 24],
    budgetSeconds: null,
    seed,
    mode: 'default',
    nodeFlags: [],
    memory: 'none',
    acceptedRows: [],
    explain: 'none',
    recorders: [],
  };
}

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

const { question, corpora } = makeManifest();

describe('the memory jobs of a run', () => {
  const jobs = planMemoryJobs(question, corpora);

  test('have unique ids', () => {
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
  });

  test('cover cells by operation and corpora by retained memory', () => {
    const subjectsOf = (/** @type {string} */ kind) => [
      ...new Set(jobs.filter((job) => job.kind === kind).map(({ subject }) => subject)),
    ];
    const cellIds = question.cells.map(({ id }) => id);
    const labels = corpora.map(({ label }) => label);
    expect(subjectsOf('allocation')).toEqual(cellIds);
    expect(subjectsOf('collections')).toEqual(cellIds);
    expect(subjectsOf('retained-snapshot')).toEqual(labels);
    expect(subjectsOf('retained-slope')).toEqual(labels);
  });

  test('have only the kinds of the family, in a fixed order', () => {
    const some = planMemoryJobs(
      { ...question, memoryKinds: ['collections', 'allocation'] },
      corpora,
    );
    expect([...new Set(some.map(({ kind }) => kind))]).toEqual(['allocation', 'collections']);
    expect(planMemoryJobs({ ...question, memoryKinds: [] }, corpora)).toEqual([]);
  });

  test('hold only documents of corpora that an operation reads', () => {
    const isAskedFor = ({ id = '' }) => id.startsWith('serialize') || id === 'deserialize deep';
    const cells = question.cells.filter(isAskedFor);
    const held = planMemoryJobs({ ...question, cells }, corpora).filter(({ kind }) =>
      kind.startsWith('retained-'),
    );
    expect(new Set(held.map(({ subject }) => subject))).toEqual(new Set(['deep']));
  });

  test('start and end equally often with each arm', () => {
    const arms = jobs
      .filter(({ kind, subject }) => kind === 'collections' && subject === 'serialize flat')
      .map(({ arm }) => arm);
    const there = ['baseline', 'candidate', 'control'];
    const back = there.toReversed();
    expect(arms).toEqual([...there, ...back, ...there, ...back]);
  });

  test('do not run operations on a corpus that takes long to prepare', () => {
    const large = corpora.map((corpus) =>
      corpus.label === 'flat' ? { ...corpus, sizeBytes: 2 ** 28 } : corpus,
    );
    const cell = question.cells.find(({ id }) => id === 'serialize flat');
    expect(isTooLarge(/** @type {import('../formats/types.ts').Cell} */ (cell), large)).toBe(true);
    const kinds = planMemoryJobs(question, large)
      .filter(({ subject }) => subject === 'serialize flat' || subject === 'flat')
      .map(({ kind }) => kind);
    expect([...new Set(kinds)]).toEqual(['retained-snapshot', 'retained-slope']);
  });
});

describe('documents to hold', () => {
  /** @type {[string, number, number, number, number][]} */
  const cases = [
    ['one small document is repeated to full slabs', 1, 300, 64_000, 99_840],
    ['a thousand are repeated whole', 1000, 300_000, 64_000, 96_000],
    ['a million are held all, with the first of them in the snapshot', 1e6, 280e6, 64_000, 1e6],
    ['large documents are few', 1, 2_500_000, 8, 12],
    ['documents as large as anything are still four', 1, 50e6, 4, 4],
  ];
  test.each(cases)('%s', (_, documentCount, sizeBytes, inSnapshot, inSlope) => {
    const corpus = { documentCount, sizeBytes };
    expect(countDocumentsToHold('retained-snapshot', corpus)).toBe(inSnapshot);
    expect(countDocumentsToHold('retained-slope', corpus)).toBe(inSlope);
  });
});

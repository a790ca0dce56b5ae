import { makeManifest } from '../../reports/fixtures/build.js';
import {
  ARMS,
  PROCESSES_PER_BLOCK,
  armsOf,
  countJobs,
  countPerVariant,
  findCell,
  forEachArm,
  jobCellId,
  listVariants,
  pairOf,
  planJobs,
  sharedIdOf,
  withCandidates,
} from './plan.js';
import { scheduleOf } from './schedule.js';

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

  test('pairs the candidate with baseline and control, and swaps cores in the mirrored half', () => {
    const question = { ...questionWith(5), schedule: /** @type {const} */ ('paired') };
    const jobs = planJobs(question, CELLS, { from: 0, to: 8 });
    const pairs = jobs.flatMap((job, index) => (index % 2 === 0 ? [[job, jobs[index + 1]]] : []));
    for (const [one, other] of pairs) {
      expect(other.position).toBe(one.position + 1);
      expect([one, other].filter(({ arm }) => arm === 'candidate')).toHaveLength(1);
    }
    expect(scheduleOf(question).group(jobs)).toEqual(pairs);
    const onFirstCore = jobs.filter(({ position }) => position % 2 === 0);
    expect(onFirstCore.filter(({ arm }) => arm === 'candidate')).toHaveLength(pairs.length / 2);
  });
});

describe('the plan of several candidates', () => {
  const shared = CELLS.slice(0, 2).flatMap((cell) =>
    ['b', 'c', 'd'].map((spec, candidate) => ({
      ...cell,
      id: `${cell.id} ${spec}`,
      candidate,
      sharedId: cell.id,
    })),
  );
  const { question } = makeManifest({ cells: shared, candidates: ['b', 'c', 'd'], seed: 6 });
  const plan = (/** @type {typeof shared} */ cells) =>
    planJobs(question, cells, { from: 0, to: 8 });

  test('measures the baseline once for all', () => {
    const jobs = plan(shared);
    expect(jobs).toHaveLength(2 * countJobs(8, 3));
    for (const { id } of shared) {
      expect(jobs.filter(({ cellId }) => cellId === id)).toHaveLength(8);
    }
    const baseline = jobs.filter(({ arm }) => arm !== 'candidate');
    expect(new Set(baseline.map(({ cellId }) => cellId))).toEqual(
      new Set(['serialize flat', 'serialize deep']),
    );
    expect(baseline).toHaveLength(2 * 8);
  });

  test('runs two different variants at the same time in a paired schedule', () => {
    const paired = { ...question, schedule: /** @type {const} */ ('paired') };
    for (const cells of [shared, shared.slice(1, 2)]) {
      const jobs = planJobs(paired, cells, { from: 0, to: 16 });
      const groups = scheduleOf(paired).group(jobs);
      expect(groups.flat()).toEqual(jobs);
      for (const [one, other = null] of groups) {
        if (other === null) continue;
        const variants = [one, other].map((job) =>
          job.arm === 'candidate' ? job.cellId : 'baseline',
        );
        expect(new Set(variants).size).toBe(2);
      }
    }
    const groups = scheduleOf(paired).group(planJobs(paired, shared, { from: 0, to: 16 }));
    expect(groups.filter(({ length }) => length === 2).length).toBeGreaterThan(groups.length / 2);
  });

  test('one job at a time in a sequential schedule', () => {
    const jobs = plan(shared);
    expect(scheduleOf(question).group(jobs)).toEqual(jobs.map((job) => [job]));
  });

  test('keeps the jobs of a candidate whatever other candidates are still measuring', () => {
    const alone = plan(shared.slice(1, 2));
    const together = plan(shared);
    expect(together).toEqual(expect.arrayContaining(alone));
    expect(alone).toHaveLength(countJobs(8));
  });

  test('finds the cells and variants of a job', () => {
    const cell = shared[4];
    const [{ cellId, arm }] = plan(shared).filter((job) => job.arm === 'control');
    expect(jobCellId(cell, 'candidate')).toBe(cell.id);
    expect(jobCellId(cell, 'control')).toBe('serialize deep');
    expect(sharedIdOf(findCell(shared, { cellId, arm }))).toBe(cellId);
    const variants = { baseline: 'built a', candidates: ['built b', 'built c', 'built d'] };
    expect(armsOf({ variants }, cell)).toMatchObject({ candidate: 'built c', control: 'built a' });
    expect(pairOf(question, cell).candidate).toBe('c');
  });
});

describe('the plan of a ranking', () => {
  const specs = ['a', 'b', 'c'];
  const cells = withCandidates(CELLS.slice(0, 2), specs);
  const { question } = makeManifest({ cells, candidates: specs, rank: true, seed: 6 });

  test('measures all variants equally, in mirrored blocks, without baseline and control', () => {
    const jobs = planJobs(question, cells, { from: 0, to: 8 });
    expect(jobs).toHaveLength(2 * countJobs(8, 3, question));
    for (const { id } of cells) {
      const own = jobs.filter(({ cellId }) => cellId === id);
      expect(own).toHaveLength(8);
      for (const block of [0, 1]) {
        const positions = own.filter((job) => job.block === block).map((job) => job.position);
        expect(positions.map((position) => 11 - position).toReversed()).toEqual(positions);
      }
    }
    expect(jobs.every(({ arm }) => arm === 'candidate')).toBe(true);
  });

  test('has one variant in each cell', () => {
    const variants = { baseline: 'built a', candidates: ['built a', 'built b', 'built c'] };
    expect(armsOf({ variants, question }, cells[1])).toEqual({
      baseline: 'built b',
      candidate: 'built b',
      control: 'built b',
    });
    expect(listVariants(question)).toEqual(specs);
  });
});

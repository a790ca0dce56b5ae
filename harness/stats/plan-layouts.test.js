import { expect, test } from '@jest/globals';
import { LAYOUT_BLOCKS, planLayouts } from './plan-layouts.js';

const CELLS = ['flat', 'deep'].map((corpus) => ({
  id: `serialize ${corpus}`,
  operation: 'serialize',
  corpus,
}));

test('a block measures every layout of both sides there and back', () => {
  const jobs = planLayouts({ seed: 1, cells: CELLS }, 'serialize deep', 2);
  for (let block = 0; block < LAYOUT_BLOCKS; block++) {
    const names = jobs
      .filter((job) => job.block === block)
      .map(({ arm, layout }) => `${arm}-${layout}`);
    expect(names).toHaveLength(12);
    expect(names.slice(6)).toEqual(names.slice(0, 6).toReversed());
    expect(new Set(names).size).toBe(6);
  }
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
  expect(jobs[0]?.id).toMatch(/^layout\/serialize deep\/000\/0\/(baseline|candidate)-[012]$/);
});

test('the order depends on seed, cell and block', () => {
  const orderOf = (/** @type {number} */ seed, /** @type {string} */ cellId) =>
    planLayouts({ seed, cells: CELLS }, cellId, 4)
      .map(({ arm, layout }) => `${arm}-${layout}`)
      .join(' ');
  const orders = [1, 2].flatMap((seed) => CELLS.map(({ id }) => orderOf(seed, id)));
  expect(new Set(orders).size).toBe(4);
  expect(orderOf(1, 'serialize flat')).toBe(orders[0]);
  const [first, second] = [0, 1].map((block) =>
    planLayouts({ seed: 1, cells: CELLS }, 'serialize flat', 4)
      .filter((job) => job.block === block)
      .map(({ arm, layout }) => `${arm}-${layout}`),
  );
  expect(second).not.toEqual(first);
});

test('a shard orders its cells as the whole plan does', () => {
  const [, own] = CELLS;
  if (own === undefined) throw new Error('there are two cells');
  const shard = { index: 2, count: 2, cells: CELLS };
  expect(planLayouts({ seed: 3, cells: [own], shard }, own.id, 2)).toEqual(
    planLayouts({ seed: 3, cells: CELLS }, own.id, 2),
  );
});

import { partitionCells } from '../../harness/stats/parts.js';
import { renderTerminal } from '../document/terminal.js';
import { makeManifest } from '../fixtures/build.js';
import { describePlan } from './plan.js';

/** @param {Partial<import('../../harness/formats/types.ts').Question>} [changes] */
function planTwo(changes = {}) {
  const { question } = makeManifest(changes);
  const shards = [1, 2].map((index) => ({
    shard: `${index}/2`,
    cells: partitionCells(question, 2)[index - 1],
    command: `just compare generator linked-list --shard ${index}/2 --seed 7`,
  }));
  return { question, shards, revision: '5d1c2f0a9e44b7c1' };
}

test('parts, their commands and the one that merges them', () => {
  expect(renderTerminal(describePlan(planTwo()))).toMatchInlineSnapshot(`
   "linked-list against generator: 6 cells in 2 parts

   part  cells  at most
   1/2       3    3 min
       serialize flat, serialize full, deserialize deep
   2/2       3    3 min
       serialize deep, deserialize flat, deserialize full

   Run one on each host, all with Assay at 5d1c2f0 and the same Node:

   1/2       just compare generator linked-list --shard 1/2 --seed 7
   2/2       just compare generator linked-list --shard 2/2 --seed 7

   Then copy the directories that they print to one host, and run:

   merge     just merge RUN1 RUN2
   "
  `);
});

test('the time is bounded by the budget, half in pairs, and not known of memory alone', () => {
  const print = (/** @type {Parameters<typeof planTwo>[0]} */ changes) =>
    renderTerminal(describePlan(planTwo(changes)));
  expect(print({ budgetSeconds: 10 })).toMatch(/^1\/2 +3 +10\.0 s$/m);
  expect(print({ schedule: 'paired' })).toMatch(/^1\/2 +3 +2 min$/m);
  expect(print({ memory: 'only' })).toMatch(/^1\/2 +4 +–$/m);
});

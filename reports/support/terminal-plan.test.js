import { expect, test } from '@jest/globals';
import { takeShard } from '../../harness/studies/shards/plan.js';
import { displayWidth } from '../../harness/lib/display-width.js';
import { makeManifest } from './fixtures.js';
import { formatPlan } from './terminal-plan.js';

const PLAIN = { width: 80, color: false };

/** @param {Partial<import('../../harness/formats/types.ts').Question>} [changes] */
function planTwo(changes = {}) {
  const { question } = makeManifest(changes);
  const shards = [1, 2].map((index) => ({
    shard: `${index}/2`,
    cells: takeShard(question, { index, count: 2 }).cells,
    command: `just compare generator linked-list --shard ${index}/2 --seed 7`,
  }));
  return { question, shards, revision: '5d1c2f0a9e44b7c1' };
}

test('parts, their commands and the one that merges them', () => {
  expect(formatPlan(planTwo(), PLAIN)).toBe(`linked-list against generator: 6 cells in 2 parts

part  cells  at most
1/2       3    4 min  serialize flat, serialize full, deserialize deep
2/2       3    4 min  serialize deep, deserialize flat, deserialize full

Run one on each host, all with Assay at 5d1c2f0 and the same Node:
  just compare generator linked-list --shard 1/2 --seed 7
  just compare generator linked-list --shard 2/2 --seed 7

Then bring the directories that they print back together, and:
  just merge RUN1 RUN2
`);
});

test('the time is bounded by the budget, and not known of memory alone', () => {
  expect(formatPlan(planTwo({ budgetSeconds: 10 }), PLAIN)).toMatch(/^1\/2 +3 +10\.0 s /m);
  expect(formatPlan(planTwo({ memory: 'only' }), PLAIN)).toMatch(/^1\/2 +4 +– /m);
});

test('the table fits, the commands stay whole', () => {
  const plan = planTwo();
  const command = `just compare ${'x'.repeat(100)}`;
  plan.shards[0].command = command;
  plan.shards[0].cells = Array(9).fill(plan.shards[0].cells[0]);
  const lines = formatPlan(plan, PLAIN).split('\n');
  expect(lines).toContain(`  ${command}`);
  const others = lines.filter((line) => !line.includes(command));
  expect(Math.max(...others.map(displayWidth))).toBeLessThanOrEqual(80);
});

import { expect, test } from '@jest/globals';
import { planTrials } from './plan-trials.js';

const SETTINGS = { tools: ['a', 'b', 'c'], costs: [0.01, 0.05], blanks: 1, seed: 7 };

/**
 * @param {Partial<typeof SETTINGS>} settings
 * @param {number} count
 */
function take(settings, count) {
  const plan = planTrials({ ...SETTINGS, ...settings });
  return Array.from({ length: count }, () => plan.next().value ?? null);
}

test('equal seeds give equal plans, others do not', () => {
  expect(take({}, 50)).toEqual(take({}, 50));
  expect(take({}, 50)).not.toEqual(take({ seed: 8 }, 50));
});

test('in two rounds every tool has had each cost once, and as many A/A comparisons', () => {
  const trials = take({}, 12);
  for (const tool of SETTINGS.tools) {
    const own = trials.filter((trial) => trial?.tool === tool).map((trial) => trial?.injected);
    expect(own.sort()).toEqual([0, 0, 0.01, 0.05]);
  }
});

test('tools take turns in an order that changes', () => {
  const trials = take({ costs: [] }, 300);
  const rounds = Array.from({ length: 100 }, (_, round) =>
    trials.slice(round * 3, round * 3 + 3).map((trial) => trial?.tool),
  );
  for (const round of rounds) expect([...round].sort()).toEqual(['a', 'b', 'c']);
  expect(new Set(rounds.map((round) => round.join(''))).size).toBe(6);
});

test('either side comes first about as often', () => {
  const firsts = take({}, 1000).filter((trial) => trial?.first === 'baseline');
  expect(firsts.length).toBeGreaterThan(430);
  expect(firsts.length).toBeLessThan(570);
});

test('numbers and seeds tell trials apart', () => {
  const trials = take({}, 100);
  expect(trials.map((trial) => trial?.number)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  expect(new Set(trials.map((trial) => trial?.seed)).size).toBe(100);
});

test.each([
  ['no tools', { tools: [] }],
  ['nothing to compare', { costs: [], blanks: 0 }],
])('ends at once with %s', (_, settings) => {
  expect(take(settings, 1)).toEqual([null]);
});

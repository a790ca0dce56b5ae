import { expect, test } from '@jest/globals';

import { seedGenerator } from '../random.js';
import { simulateTrials } from './simulate-trials.js';
import { makeWorld } from '../../studies/calibration/test-support/made-up-world.js';

test('cells and costs take turns, each cost in all cells', () => {
  const trials = simulateTrials(makeWorld({ injected: [0, 0.05] }), 5, seedGenerator(1));
  expect(trials.map(({ number, cellId, injected }) => [number, cellId, injected])).toEqual([
    [0, 'serialize flat', 0],
    [1, 'deserialize deep', 0],
    [2, 'serialize flat', 0.05],
    [3, 'deserialize deep', 0.05],
    [4, 'serialize flat', 0],
  ]);
});

test('equal seeds make equal trials', () => {
  const [one, two, other] = [7, 7, 8].map((seed) =>
    simulateTrials(makeWorld(), 2, seedGenerator(seed)),
  );
  expect(one).toEqual(two);
  expect(one).not.toEqual(other);
});

test('what is plain is called so at the first look, and measured on to the end', () => {
  const world = makeWorld({ injected: [0.5], processDeviation: 0.01 });
  const [trial] = simulateTrials(world, 1, seedGenerator(2));
  expect(trial).toMatchObject({ verdict: 'slower', processes: 12, isFull: true });
  expect(trial.ratio?.estimate).toBeCloseTo(1.5, 1);
  expect(trial.processed).toHaveLength(111);
  expect(trial.processed.filter(({ arm }) => arm === 'candidate')).toHaveLength(37);
});

test('what is open at the last look that the budget reaches is judged by all there is', () => {
  const rule = { alpha: 0.05, minimumEffect: 0.03, looks: [12, 24, 48, 96] };
  const world = makeWorld({ processDeviation: 0.3, rule });
  const [trial] = simulateTrials(world, 1, seedGenerator(3));
  expect(trial).toMatchObject({ verdict: 'inconclusive', processes: 37 });
});

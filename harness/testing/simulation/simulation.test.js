import { describe, expect, test } from '@jest/globals';

import { seedGenerator } from '../../stats/random.js';
import { makeWorld, simulateTrials } from './trials.js';
import { drawNoise, NOISE_SHAPES } from '../../studies/simulation/noise.js';
import { simulateRule } from './runs.js';

// The rates themselves are tested in scripts/simulate-rule.test.js; this is about the counting.
const RULE = { alpha: 0.05, minimumEffect: 0.03, looks: [12, 24] };
const NOISE = { noise: /** @type {const} */ ('normal'), spread: 0.001 };

test('equal seeds give equal rates, others differ', () => {
  const scenario = { ratios: [1, 1.02], controlRatio: 1, noise: NOISE.noise, spread: 0.042 };
  const once = simulateRule(RULE, scenario, 4, seedGenerator(5));
  expect(simulateRule(RULE, scenario, 4, seedGenerator(5))).toEqual(once);
  expect(simulateRule(RULE, scenario, 4, seedGenerator(6))).not.toEqual(once);
});

describe('with hardly any noise every truth is recognised', () => {
  test('a slower, a faster and two equal cells', () => {
    const scenario = { ratios: [1.2, 0.8, 1, 1.01], controlRatio: 1, ...NOISE };
    const rates = simulateRule(RULE, scenario, 5, seedGenerator(1));
    expect(rates.verdicts).toMatchObject({ slower: 0.25, faster: 0.25, equivalent: 0.5 });
    expect(rates.rightDirection).toBe(0.5);
    expect(rates.runsWithFalseDirection).toBe(0);
    expect(rates.processes).toBe(12);
  });

  test('a control that explains the effect makes the cell untrusted until the last look', () => {
    const scenario = { ratios: [0.9], controlRatio: 0.9, ...NOISE };
    const rates = simulateRule(RULE, scenario, 5, seedGenerator(2));
    expect(rates.verdicts.untrusted).toBe(1);
    expect(rates.controlDiffered).toBe(1);
    expect(rates.processes).toBe(24);
  });

  test('a control that deviates by a tenth of the effect does not change the verdict', () => {
    const scenario = { ratios: [2], controlRatio: 1.05, ...NOISE };
    const rates = simulateRule(RULE, scenario, 5, seedGenerator(3));
    expect(rates.verdicts.slower).toBe(1);
    expect(rates.controlDiffered).toBe(1);
  });
});

test('cells and costs alternate, each cost in all cells', () => {
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

test('a clear difference has its verdict at the first look, and measuring continues', () => {
  const world = makeWorld({ injected: [0.5], processDeviation: 0.01 });
  const [trial] = simulateTrials(world, 1, seedGenerator(2));
  expect(trial).toMatchObject({ verdict: 'slower', processes: 12, isFull: true });
  expect(trial.ratio?.estimate).toBeCloseTo(1.5, 1);
  expect(trial.processed).toHaveLength(111);
  expect(trial.processed.filter(({ arm }) => arm === 'candidate')).toHaveLength(37);
});

test('what is undecided at the last look within the budget is judged by all observations', () => {
  const rule = { alpha: 0.05, minimumEffect: 0.03, looks: [12, 24, 48, 96] };
  const world = makeWorld({ processDeviation: 0.3, rule });
  const [trial] = simulateTrials(world, 1, seedGenerator(3));
  expect(trial).toMatchObject({ verdict: 'inconclusive', processes: 37 });
});

test.each(NOISE_SHAPES)('%s noise has mean 0 and standard deviation 1', (shape) => {
  const random = seedGenerator(6);
  const count = 200_000;
  let sum = 0;
  let squares = 0;
  for (let index = 0; index < count; index++) {
    const value = drawNoise(shape, random);
    sum += value;
    squares += value * value;
  }
  expect(Math.abs(sum / count)).toBeLessThan(0.01);
  // The squares of t3 have no finite variance, so their mean converges slowly.
  expect(Math.abs(Math.sqrt(squares / count) - 1)).toBeLessThan(0.05);
});

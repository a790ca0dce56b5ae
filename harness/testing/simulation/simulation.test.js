import { seedGenerator } from '../../stats/random.js';
import { makeWorld, simulateTrials } from './trials.js';
import { drawNoise, NOISE_SHAPES } from '../../studies/simulation/noise.js';

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
  expect(trial).toMatchObject({ verdict: 'slower', processes: 16, isFull: true });
  expect(trial.ratio?.estimate).toBeCloseTo(1.5, 1);
  expect(trial.processed).toHaveLength(111);
  expect(trial.processed.filter(({ arm }) => arm === 'candidate')).toHaveLength(56);
});

test('what is undecided at the last look within the budget is judged by all observations', () => {
  const rule = { alpha: 0.05, minimumEffect: 0.03, looks: [16, 32, 64, 128] };
  const world = makeWorld({ processDeviation: 0.3, rule });
  const [trial] = simulateTrials(world, 1, seedGenerator(3));
  expect(trial).toMatchObject({ verdict: 'inconclusive', processes: 55 });
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

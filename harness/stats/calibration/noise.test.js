import { drawPlacements } from '../../studies/simulation/noise.js';
import { makeUnjudgedWorld, simulateTrials } from '../../testing/simulation/trials.js';
import { seedGenerator } from '../random.js';
import { compareTrimmedMeans } from '../robust.js';
import {
  describeSample,
  poolVariances,
  splitNoise,
  takePlacementSpread,
  takeProportion,
} from './noise.js';

/** @import { TrialWorld } from '../../testing/simulation/trials.js' */

test("the squared error of a mean is its share in Yuen's test", () => {
  const one = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
  const two = [2, 7, 1, 8, 2, 8, 1];
  const [first, second] = [one, two].map(describeSample);
  const together = compareTrimmedMeans(one, two);
  expect((first?.squaredError ?? 0) + (second?.squaredError ?? 0)).toBeCloseTo(
    (together?.standardError ?? 0) ** 2,
    10,
  );
  expect((first?.mean ?? 0) - (second?.mean ?? 0)).toBeCloseTo(together?.difference ?? NaN, 10);
});

test('one value has no description', () => {
  expect(describeSample([7])).toBeNull();
});

test('samples are weighted by their degrees of freedom', () => {
  const common = { mean: 0, squaredError: 0 };
  const samples = [
    { ...common, deviation: 1, freedom: 1 },
    { ...common, deviation: 3, freedom: 3 },
  ];
  expect(poolVariances(samples)).toBe((1 + 27) / 4);
  expect(poolVariances([])).toBe(0);
});

/** @param {Partial<TrialWorld>} changes */
function splitWorld(changes) {
  return splitNoise(simulateTrials(makeUnjudgedWorld(changes), 200, seedGenerator(3)), null);
}

describe('parts of the noise', () => {
  test('are recovered from simulated trials', () => {
    const { process, drift } = splitWorld({ processDeviation: 0.03, driftDeviation: 0.02 });
    expect(process).toBeCloseTo(0.03, 3);
    expect(drift).toBeGreaterThan(0.017);
    expect(drift).toBeLessThan(0.023);
  });

  test('drift is close to zero where there is none', () => {
    expect(splitWorld({ driftDeviation: 0 }).drift).toBeLessThan(0.002);
  });

  test('an injected cost and the difference between cells are no noise', () => {
    const { process, drift } = splitWorld({ injected: [0, 0.1] });
    expect(process).toBeCloseTo(0.03, 3);
    expect(drift).toBeLessThan(0.002);
    const trials = simulateTrials(makeUnjudgedWorld(), 40, seedGenerator(4)).map((trial) => ({
      ...trial,
      processed: trial.processed.map((process) => ({
        ...process,
        ns: process.ns * (trial.cellId === 'serialize flat' ? 1 : 40),
      })),
    }));
    expect(splitNoise(trials, null).drift).toBeLessThan(0.005);
  });

  test('the share between batches is passed on', () => {
    expect(splitNoise([], 0.006)).toEqual({ process: 0, batch: 0.006, drift: 0 });
  });
});

/**
 * @param {number} count
 * @param {number} placementSpread
 * @param {import('pure-rand/types/RandomGenerator').RandomGenerator} random
 */
const draw = (count, placementSpread, random) =>
  drawPlacements(count, { center: 9, placementSpread, processSpread: 0.02 }, random);

describe('the spread between placements', () => {
  test('is recovered, without the noise of processes', () => {
    const found = takePlacementSpread('deserialize deep', draw(200, 0.03, seedGenerator(1)));
    expect(found?.spread.estimate).toBeCloseTo(0.03, 2);
    expect(found?.processSpread).toBeCloseTo(0.02, 2);
    expect(found).toMatchObject({ cellId: 'deserialize deep', placements: 200, processes: 12 });
  });

  test('lies in its interval in about 95 of 100 cases', () => {
    const random = seedGenerator(2);
    const experiments = 400;
    let held = 0;
    for (let index = 0; index < experiments; index++) {
      const found = takePlacementSpread('a cell', draw(8, 0.03, random));
      if (found === null) throw new Error('eight placements have a spread');
      if (found.spread.low <= 0.03 && 0.03 <= found.spread.high) held += 1 / experiments;
    }
    expect(held).toBeGreaterThan(0.92);
    expect(held).toBeLessThan(0.98);
  });

  test('starts at zero where processes explain it', () => {
    const found = takePlacementSpread('a cell', draw(10, 0, seedGenerator(3)));
    expect(found?.spread.low).toBe(0);
    expect(found?.spread.high).toBeLessThan(0.02);
  });
});

test('the range is the slowest placement over the fastest', () => {
  const found = takePlacementSpread('a cell', [
    [0, 0],
    [0.1, 0.1],
    [0.05, 0.05],
  ]);
  expect(found?.range).toBeCloseTo(Math.exp(0.1), 10);
});

test('a single placement has no spread, nor have placements of one process', () => {
  expect(takePlacementSpread('a cell', [[1, 2, 3]])).toBeNull();
  expect(takePlacementSpread('a cell', [[1], [2], [3, 4]])).toBeNull();
});

describe('Clopper and Pearson', () => {
  // Of NIST's Dataplot page and of R's binom.test.
  test.each([
    [4, 20, 0.0573, 0.4366],
    [81, 263, 0.2527, 0.3676],
    [5, 100, 0.0164, 0.1128],
    [0, 200, 0, 0.0183],
    [4, 200, 0.0055, 0.0504],
  ])('%i of %i is %f to %f', (count, of, low, high) => {
    const proportion = takeProportion(count, of);
    expect(proportion).toMatchObject({ count, of });
    expect(proportion.low).toBeCloseTo(low, 4);
    expect(proportion.high).toBeCloseTo(high, 4);
  });

  test('all is the mirror image of none', () => {
    expect(takeProportion(10, 10).low).toBeCloseTo(1 - takeProportion(0, 10).high, 10);
    expect(takeProportion(10, 10).high).toBe(1);
  });

  test('without tries the interval is 0 to 1', () => {
    expect(takeProportion(0, 0)).toEqual({ count: 0, of: 0, low: 0, high: 1 });
  });
});

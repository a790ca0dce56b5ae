import { describe, expect, test } from '@jest/globals';

import { NOISE_SHAPES, detectableEffect } from '../power.js';
import { seedGenerator } from '../random.js';
import { takePowerCurve, takePowerCurves } from './power-curve.js';
import { simulateTrials } from './simulate-trials.js';
import { makeUnjudgedWorld } from '../../studies/calibration/test-support/made-up-world.js';

describe('one test at the end of a budget', () => {
  test.each(NOISE_SHAPES)('is wrong in about one of twenty A/A trials: %s', (noise) => {
    const trials = simulateTrials(makeUnjudgedWorld({ noise }), 500, seedGenerator(5));
    const { count, of } = takePowerCurve(trials, 20).falsePositives;
    expect(of).toBe(500);
    expect(count / of).toBeGreaterThan(0.03);
    expect(count / of).toBeLessThan(0.07);
  });

  test('finds what the noise and the number of processes let it find', () => {
    const trials = simulateTrials(makeUnjudgedWorld(), 300, seedGenerator(6));
    const { processes, detectable } = takePowerCurve(trials, 20);
    // 20 s of processes of 180 ms, in three arms.
    expect(processes).toBeCloseTo(37, 0);
    // A trimmed mean of normal values has an error some 7 % above that of the mean.
    const standardError = 1.07 * 0.03 * Math.sqrt(1 / 37 + 1 / 74);
    const expected = detectableEffect({ standardError, degreesOfFreedom: 60 }, 0.05);
    expect(detectable).toBeGreaterThan(0.93 * expected);
    expect(detectable).toBeLessThan(1.07 * expected);
  });

  test('finds an injected cost as often as the curve says', () => {
    const random = seedGenerator(7);
    const [same, costlier] = [0, 0.02].map((injected) =>
      simulateTrials(makeUnjudgedWorld({ injected: [injected] }), 300, random),
    );
    const { points } = takePowerCurve(same, 20);
    const promised = points.find(({ effect }) => effect >= 0.02)?.power ?? 0;
    const found = takePowerCurve(costlier, 20).falsePositives;
    expect(promised).toBeGreaterThan(0.7);
    expect(Math.abs(found.count / found.of - promised)).toBeLessThan(0.06);
  });

  test('goes by what began within the budget alone', () => {
    const trials = simulateTrials(makeUnjudgedWorld(), 20, seedGenerator(8));
    const shortened = trials.map((trial) => ({
      ...trial,
      processed: trial.processed.filter(({ startedAtMs }) => startedAtMs < 5000),
    }));
    expect(takePowerCurve(trials, 5)).toEqual(takePowerCurve(shortened, 5));
  });

  test('has no detectable effect where nothing is found', () => {
    const trials = simulateTrials(makeUnjudgedWorld({ processDeviation: 3 }), 20, seedGenerator(9));
    const { points, detectable } = takePowerCurve(trials, 20);
    expect(points.at(-1)).toEqual({ effect: 0.3, power: expect.any(Number) });
    expect(detectable).toBeNull();
  });
});

describe('curves', () => {
  const trials = simulateTrials(makeUnjudgedWorld(), 12, seedGenerator(10));

  test('are of the budgets that ten trials reach', () => {
    expect(takePowerCurves(trials).map(({ budgetSeconds }) => budgetSeconds)).toEqual([5, 10, 20]);
    expect(takePowerCurves(trials.slice(0, 9))).toEqual([]);
  });

  test('leave out trials with a cost and those that were free to stop', () => {
    const costlier = trials.map((trial) => ({ ...trial, injected: 0.01 }));
    const free = trials.map((trial) => ({ ...trial, isFull: false }));
    expect(takePowerCurves([...trials, ...costlier, ...free])).toEqual(takePowerCurves(trials));
  });

  test('need less to find less as the budget grows', () => {
    const detectable = takePowerCurves(
      simulateTrials(makeUnjudgedWorld(), 200, seedGenerator(11)),
    ).map((curve) => curve.detectable ?? Infinity);
    expect(detectable).toHaveLength(3);
    expect(detectable).toEqual([...detectable].sort((a, b) => b - a));
  });
});

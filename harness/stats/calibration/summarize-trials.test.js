import { describe, expect, test } from '@jest/globals';

import { seedGenerator } from '../random.js';
import { simulateTrials } from './simulate-trials.js';
import { findTruth, summarizeTrials } from './summarize-trials.js';
import { makeWorld } from '../../studies/calibration/test-support/made-up-world.js';

/** @import { InjectedCost } from '../../formats/types.ts' */

const context = {
  mode: /** @type {const} */ ('default'),
  costs: /** @type {InjectedCost[]} */ ([]),
  batchDeviation: null,
};

/** @param {number} estimate @returns {InjectedCost} */
function makeCost(estimate) {
  return {
    mode: 'default',
    cellId: 'serialize flat',
    injected: 0.1,
    rounds: 120,
    ratio: { estimate, low: estimate, high: estimate },
    alone: { estimate, low: estimate, high: estimate },
    processes: 8,
  };
}

describe('a mode', () => {
  const world = makeWorld({ injected: [0, 0.1] });
  const trials = simulateTrials(world, 160, seedGenerator(1));
  const summary = summarizeTrials(trials, context);

  test('errs as rarely as the rule allows', () => {
    const { falsePositives, covered, verdicts } = summary;
    expect(falsePositives.of).toBe(80);
    expect(falsePositives.count).toBe(verdicts.faster + verdicts.slower);
    expect(falsePositives.low).toBeLessThan(0.05);
    expect(covered.count / covered.of).toBeGreaterThan(0.9);
    expect(Object.values(verdicts).reduce((sum, count) => sum + count, 0)).toBe(80);
  });

  test('is told by cell', () => {
    expect(Object.keys(summary.byCell)).toEqual(world.cellIds);
    const counts = Object.values(summary.byCell).map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(summary.falsePositives.count);
    expect(summary.byCell['serialize flat'].of).toBe(40);
  });

  test('finds a large cost nearly always, never the wrong way round, and about as large', () => {
    const [nothing, tenth] = summary.points;
    expect([nothing.injected, tenth.injected]).toEqual([0, 0.1]);
    expect(tenth.found.count / tenth.found.of).toBeGreaterThan(0.95);
    expect(tenth.wrongSign.count).toBe(0);
    expect(tenth.bias?.low).toBeLessThan(0.003);
    expect(tenth.bias?.high).toBeGreaterThan(-0.003);
    expect(tenth.processes).toBeLessThan(nothing.processes);
  });

  test('passes over the trials of another', () => {
    const others = simulateTrials(makeWorld({ mode: 'screen' }), 20, seedGenerator(2));
    expect(summarizeTrials([...trials, ...others], context)).toEqual(summary);
  });

  test('without trials says that it knows nothing', () => {
    const { falsePositives, points, curves } = summarizeTrials([], context);
    expect(falsePositives).toEqual({ count: 0, of: 0, low: 0, high: 1 });
    expect([points, curves]).toEqual([[], []]);
  });
});

describe('the truth of a trial', () => {
  const trial = { mode: context.mode, cellId: 'serialize flat', injected: 0.1 };

  test('is the verified ratio, else the nominal share', () => {
    expect(findTruth(trial, [makeCost(1.08)])).toBe(1.08);
    expect(findTruth({ ...trial, cellId: 'deserialize deep' }, [makeCost(1.08)])).toBe(1.1);
    expect(findTruth({ ...trial, mode: 'screen' }, [makeCost(1.08)])).toBe(1.1);
    expect(findTruth({ ...trial, injected: 0 }, [makeCost(1.08)])).toBe(1);
  });

  test('is what bias and intervals are held against', () => {
    const world = makeWorld({ cellIds: ['serialize flat'], injected: [0.1] });
    const trials = simulateTrials(world, 30, seedGenerator(3));
    const [point] = summarizeTrials(trials, { ...context, costs: [makeCost(1.21)] }).points;
    // 1.1 over 1.21, minus one
    expect(point.bias?.estimate).toBeCloseTo(-0.091, 2);
    expect(point.covered.count / point.covered.of).toBeLessThan(0.1);
  });

  test('cannot be held against trials without figures', () => {
    const trials = simulateTrials(makeWorld(), 3, seedGenerator(4));
    const refused = trials.map((each) => ({
      ...each,
      verdict: /** @type {const} */ ('refused'),
      ratio: null,
    }));
    const [point] = summarizeTrials(refused, context).points;
    expect(point.bias).toBeNull();
    expect(point.covered.of).toBe(0);
    expect(point.found.of).toBe(3);
  });
});

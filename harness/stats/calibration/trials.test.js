import { makeManifest } from '../../../reports/fixtures/build.js';
import { isLong, testLong, testMore } from '../../testing/support/gates.js';
import { makeUnjudgedWorld, makeWorld, simulateTrials } from '../../testing/simulation/trials.js';
import { simulateObservations } from '../../testing/simulation/runs.js';
import { compareRun } from '../compare.js';
import { NOISE_SHAPES } from '../../studies/simulation/noise.js';
import { detectableEffect } from '../robust.js';
import { seedGenerator } from '../random.js';
import {
  findTruth,
  judgeTrial,
  summarizeTrials,
  takePowerCurve,
  takePowerCurves,
} from './trials.js';

/** @import { InjectedCost } from '../../formats/types.ts' */

const context = {
  mode: /** @type {const} */ ('default'),
  costs: /** @type {InjectedCost[]} */ ([]),
  batchDeviation: null,
};

/** @param {number} estimate @returns {InjectedCost} */
function makeCost(estimate) {
  const ratio = { estimate, low: estimate, high: estimate };
  const of = { cellId: 'serialize flat', injected: 0.1 };
  return { ...of, mode: 'default', rounds: 120, ratio, alone: ratio, processes: 8 };
}

describe('a mode', () => {
  const world = makeWorld({ injected: [0, 0.1] });
  const trials = simulateTrials(world, 160, seedGenerator(1));
  const summary = summarizeTrials(trials, context);

  test('errs as seldom as the rule allows', () => {
    const { falsePositives, covered, verdicts } = summary;
    expect(falsePositives.of).toBe(80);
    expect(falsePositives.count).toBe((verdicts.faster ?? 0) + (verdicts.slower ?? 0));
    expect(falsePositives.low).toBeLessThan(0.05);
    expect(covered.count / covered.of).toBeGreaterThan(0.9);
    expect(Object.values(verdicts).reduce((sum, count) => sum + count, 0)).toBe(80);
  });

  test('is reported by cell', () => {
    expect(Object.keys(summary.byCell)).toEqual(world.cellIds);
    const counts = Object.values(summary.byCell).map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(summary.falsePositives.count);
    expect(summary.byCell['serialize flat'].of).toBe(40);
  });

  test('finds a large cost nearly always, with the right sign and size', () => {
    const [nothing, tenth] = summary.points;
    expect([nothing.injected, tenth.injected]).toEqual([0, 0.1]);
    expect(tenth.found.count / tenth.found.of).toBeGreaterThan(0.95);
    expect(tenth.wrongSign.count).toBe(0);
    expect(tenth.bias?.low).toBeLessThan(0.003);
    expect(tenth.bias?.high).toBeGreaterThan(-0.003);
    expect(tenth.processes).toBeLessThan(nothing.processes);
  });

  test('ignores the trials of another', () => {
    const others = simulateTrials(makeWorld({ mode: 'screen' }), 20, seedGenerator(2));
    const inPairs = trials.map((trial) => ({
      ...trial,
      schedule: /** @type {const} */ ('paired'),
    }));
    expect(summarizeTrials([...trials, ...others, ...inPairs], context)).toEqual(summary);
    const ofPairs = summarizeTrials(inPairs, { ...context, schedule: 'paired' });
    expect(ofPairs).toMatchObject({ schedule: 'paired', points: summary.points });
  });

  test('without trials has empty results', () => {
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

  test('is what bias and coverage refer to', () => {
    const world = makeWorld({ cellIds: ['serialize flat'], injected: [0.1] });
    const trials = simulateTrials(world, 30, seedGenerator(3));
    const [point] = summarizeTrials(trials, { ...context, costs: [makeCost(1.21)] }).points;
    // 1.1 over 1.21, minus one
    expect(point.bias?.estimate).toBeCloseTo(-0.091, 2);
    expect(point.covered.count / point.covered.of).toBeLessThan(0.1);
  });

  test('is not compared with trials without figures', () => {
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

const CELL = { id: 'serialize flat', operation: 'serialize', corpus: 'flat' };

describe('the judgement of a trial', () => {
  const { question } = makeManifest({ cells: [CELL], budgetSeconds: 20 });

  /** @param {number} ratio @param {{ processes: number, spread?: number }} world */
  const simulate = (ratio, { processes, spread = 0.01 }) =>
    simulateObservations(
      [{ cell: CELL, baselineNs: 1000, ratio, processes }],
      { noise: 'normal', spread, outputDigest: '' },
      seedGenerator(5),
    );

  test('is that of the look at which compare would have stopped', () => {
    const observations = simulate(1.2, { processes: 128 });
    const early = observations.filter(({ block }) => block < 4);
    const [atFirstLook] = compareRun({ question, observations: early }).cells;
    const trial = judgeTrial(question, observations, {});
    expect(trial).toMatchObject({ verdict: 'slower', processes: 16 });
    expect(trial.ratio).toEqual(atFirstLook.effect?.ratio);
    expect(trial.processed).toHaveLength(2 * 128);
  });

  test('uses all observations where nothing was decided within the budget', () => {
    const trial = judgeTrial(question, simulate(1.02, { processes: 28, spread: 0.1 }), {});
    expect(trial).toMatchObject({ verdict: 'inconclusive', processes: 28 });
  });

  test('skips a look that its jobs did not reach', () => {
    const trial = judgeTrial(question, simulate(1.5, { processes: 16 }).slice(0, -1), {});
    expect(trial.processes).toBeLessThanOrEqual(16);
    expect(trial.verdict).toBe('slower');
  });

  test('lists when each process started, relative to the trial', () => {
    const observations = simulate(1, { processes: 4 });
    for (const observation of observations) observation.startedAtMs += 5000;
    const { processed } = judgeTrial(question, observations, {});
    expect(processed[0].startedAtMs).toBe(0);
    expect(processed.every(({ ns }) => ns > 900 && ns < 1100)).toBe(true);
  });

  test('of pairs says which processes ran at the same time', () => {
    const observations = simulate(1, { processes: 4 });
    const paired = /** @type {const} */ ({ ...question, schedule: 'paired' });
    const { processed } = judgeTrial(paired, observations, {});
    expect(processed.map(({ place }) => place?.position).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(judgeTrial(question, observations, {}).processed[0]).not.toHaveProperty('place');
  });

  test('refuses wrong output', () => {
    const digests = { [CELL.id]: `sha256:${'0'.repeat(64)}` };
    const trial = judgeTrial(question, simulate(1, { processes: 16 }), digests);
    expect(trial.verdict).toBe('refused');
  });
});

describe('one test at the end of a budget', () => {
  testMore.each(isLong ? NOISE_SHAPES : NOISE_SHAPES.slice(0, 1))(
    'is wrong in about one of twenty A/A trials: %s',
    (noise) => {
      const trials = simulateTrials(makeUnjudgedWorld({ noise }), 500, seedGenerator(5));
      const { count, of } = takePowerCurve(trials, 20).falsePositives;
      expect(of).toBe(500);
      expect(count / of).toBeGreaterThan(0.03);
      expect(count / of).toBeLessThan(0.07);
    },
  );

  test('has the power that noise and number of processes allow', () => {
    const trials = simulateTrials(makeUnjudgedWorld(), 300, seedGenerator(6));
    const { processes, detectable } = takePowerCurve(trials, 20);
    // 20 s of processes of 180 ms, half of them of the candidate.
    expect(processes).toBeCloseTo(56, 0);
    // A trimmed mean of normal values has an error some 7 % above that of the mean.
    const standardError = 1.07 * 0.03 * Math.sqrt(1 / 56 + 1 / 55);
    const expected = detectableEffect({ standardError, degreesOfFreedom: 60 }, 0.05);
    expect(detectable).toBeGreaterThan(0.93 * expected);
    expect(detectable).toBeLessThan(1.07 * expected);
  });

  testLong('finds an injected cost as often as the curve says', () => {
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

  test('uses only what started within the budget', () => {
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

describe('one test of pairs at the end of a budget', () => {
  const paired = /** @type {const} */ ({ schedule: 'paired', pairDeviation: 0.1 });
  const world = makeUnjudgedWorld({ ...paired, processDeviation: 0.02 });

  testLong('is wrong in about one of twenty A/A trials', () => {
    const trials = simulateTrials(world, 500, seedGenerator(5));
    const { count, of } = takePowerCurve(trials, 20).falsePositives;
    expect(count / of).toBeGreaterThan(0.03);
    expect(count / of).toBeLessThan(0.07);
  });

  test('finds effects that noise of both processes of a pair hides from two samples', () => {
    const trials = simulateTrials(world, 100, seedGenerator(6));
    const { processes, detectable } = takePowerCurve(trials, 20);
    expect(processes).toBeCloseTo(111, 0);
    // 2.8 standard errors of the mean of 111 differences of 2.8 % each
    expect(detectable).toBeGreaterThan(0.006);
    expect(detectable).toBeLessThan(0.01);
    const apart = trials.map(({ schedule: _, ...trial }) => trial);
    expect(takePowerCurve(apart, 20).detectable).toBeGreaterThan(0.02);
  });

  test('ignores processes whose partner started after the budget or has no figure', () => {
    const trials = simulateTrials(world, 20, seedGenerator(8));
    const single = trials.map((trial) => ({
      ...trial,
      processed: trial.processed.filter((_, index) => index !== 1),
    }));
    const whole = trials.map((trial) => ({ ...trial, processed: trial.processed.slice(2) }));
    const [one, other] = [single, whole].map((each) => takePowerCurve(each, 20));
    expect(one.detectable).toEqual(other.detectable);
  });
});

describe('a cost in allocation', () => {
  test('is reported apart from those in arithmetic', () => {
    const trials = simulateTrials(makeWorld({ injected: [0, 0.1] }), 16, seedGenerator(12));
    const allocating = trials.map((trial) =>
      trial.injected === 0 ? trial : { ...trial, cost: /** @type {const} */ ('allocation') },
    );
    const { points } = summarizeTrials([...trials, ...allocating], {
      ...context,
      costs: [makeCost(1.21)],
    });
    expect(points.map(({ injected, cost }) => [injected, cost])).toEqual([
      [0, undefined],
      [0.1, undefined],
      [0.1, 'allocation'],
    ]);
    // What was verified of arithmetic says nothing of allocation.
    expect(Math.abs(points[2].bias?.estimate ?? 1)).toBeLessThan(0.01);
  });
});

describe('curves', () => {
  const trials = simulateTrials(makeUnjudgedWorld(), 12, seedGenerator(10));

  test('are of the budgets that ten trials reach', () => {
    expect(takePowerCurves(trials).map(({ budgetSeconds }) => budgetSeconds)).toEqual([5, 10, 20]);
    expect(takePowerCurves(trials.slice(0, 9))).toEqual([]);
  });

  test('exclude trials with a cost and those that could stop early', () => {
    const costlier = trials.map((trial) => ({ ...trial, injected: 0.01 }));
    const free = trials.map((trial) => ({ ...trial, isFull: false }));
    expect(takePowerCurves([...trials, ...costlier, ...free])).toEqual(takePowerCurves(trials));
  });

  test('detect smaller effects with a larger budget', () => {
    const detectable = takePowerCurves(
      simulateTrials(makeUnjudgedWorld(), 200, seedGenerator(11)),
    ).map((curve) => curve.detectable ?? Infinity);
    expect(detectable).toHaveLength(3);
    expect(detectable).toEqual([...detectable].sort((a, b) => b - a));
  });
});

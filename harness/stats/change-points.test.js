import { drawNormal } from '../studies/simulation/noise.js';
import { findChangePoints, poolEstimates, toNormalError, toInterval } from './change-points.js';
import { seedGenerator } from './random.js';

/** @import { Estimate } from './change-points.js' */

const ERROR = 0.01;

/**
 * @param {number[]} levels log scale
 * @param {ReturnType<typeof seedGenerator>} random
 * @param {number} [error]
 * @returns {Estimate[]}
 */
function simulate(levels, random, error = ERROR) {
  return levels.map((level) => {
    // Some points are measured more precisely than others.
    const standardError = error * Math.exp(0.3 * drawNormal(random));
    return { log: level + standardError * drawNormal(random), standardError };
  });
}

/** @type {(...runs: [count: number, level: number][]) => number[]} */
function levelsOf(...runs) {
  return runs.flatMap(([count, level]) => Array(count).fill(level));
}

/** @param {Estimate[]} points */
function listPlaces(points) {
  return findChangePoints(points).changes.map(({ at }) => at);
}

describe('a series without a change', () => {
  test.each([
    [2, 2000],
    [10, 1000],
    [100, 200],
  ])('of %d points has one found in 1 %% of series', (count, series) => {
    const random = seedGenerator(count);
    let alarmed = 0;
    let alarms = 0;
    for (let index = 0; index < series; index++) {
      const { length } = listPlaces(simulate(Array(count).fill(0.2), random));
      alarms += length;
      if (length > 0) alarmed++;
    }
    // Three standard errors above 1 %; and few alarms for each point.
    expect(alarmed / series).toBeLessThan(0.01 + 3 * Math.sqrt(0.01 / series));
    expect((100 * alarms) / (series * count)).toBeLessThan(count === 2 ? 1 : 0.3);
  });

  test('is one segment, at the mean weighted by precision', () => {
    const points = [
      { log: 0.1, standardError: 0.01 },
      { log: 0.13, standardError: 0.02 },
    ];
    const { segments, changes } = findChangePoints(points);
    expect(changes).toEqual([]);
    expect(segments).toEqual([{ from: 0, to: 1, level: poolEstimates(points) }]);
    expect(segments[0].level.log).toBeCloseTo((0.1 * 4 + 0.13) / 5, 12);
    expect(segments[0].level.standardError).toBeCloseTo(0.01 / Math.sqrt(1.25), 12);
  });

  test('may be empty', () => {
    expect(findChangePoints([])).toEqual({ segments: [], changes: [] });
  });
});

describe('known steps', () => {
  const truth = levelsOf([20, 0], [20, -0.1], [20, -0.04]);

  test('are found at their places, and their intervals contain them', () => {
    const random = seedGenerator(7);
    let exact = 0;
    let covered = 0;
    let elsewhere = 0;
    const count = 200;
    for (let index = 0; index < count; index++) {
      const { changes } = findChangePoints(simulate(truth, random));
      const places = changes.map(({ at }) => at);
      if (places.length === 2 && places[0] === 20 && places[1] === 40) exact++;
      const { low, high } = toInterval(changes[0].step, 0.05);
      if (low <= -0.1 && -0.1 <= high) covered++;
      if (places.some((at) => Math.abs(at - 20) > 2 && Math.abs(at - 40) > 2)) elsewhere++;
      for (const { at, range } of changes) {
        expect(range[0]).toBeLessThanOrEqual(at);
        expect(range[1]).toBeGreaterThanOrEqual(at);
      }
    }
    expect(exact).toBeGreaterThan(0.95 * count);
    expect(elsewhere).toBeLessThan(0.03 * count);
    expect(covered).toBeGreaterThan(0.9 * count);
  });

  test('of five standard errors are found two points later, of ten at the first', () => {
    const random = seedGenerator(8);
    /** @param {number} step  @param {number} after */
    const shareFound = (step, after) => {
      let found = 0;
      for (let index = 0; index < 200; index++) {
        const places = listPlaces(simulate(levelsOf([20, 0], [after, step]), random));
        if (places.length === 1 && Math.abs(places[0] - 20) <= 1) found++;
      }
      return found / 200;
    };
    expect(shareFound(10 * ERROR, 1)).toBeGreaterThan(0.95);
    expect(shareFound(5 * ERROR, 1)).toBeLessThan(0.9);
    expect(shareFound(5 * ERROR, 2)).toBeGreaterThan(0.95);
  });

  test('of two standard errors have a range that contains the place', () => {
    const random = seedGenerator(9);
    let within = 0;
    let found = 0;
    for (let index = 0; index < 300; index++) {
      const points = simulate(levelsOf([15, 0], [15, 2 * ERROR]), random);
      const [change, ...more] = findChangePoints(points).changes;
      if (change === undefined || more.length > 0) continue;
      found++;
      if (change.range[0] <= 15 && 15 <= change.range[1]) within++;
    }
    expect(found).toBeGreaterThan(200);
    expect(within / found).toBeGreaterThan(0.95);
  });
});

describe('neighbours measured side by side', () => {
  const points = levelsOf([3, 0], [3, 0.1]).map((log) => ({ log, standardError: 0.02 }));
  const one = { log: 0.09, standardError: 0.005 };

  test('decide that there is a change, and its size', () => {
    const direct = [
      null,
      { log: 0.02, standardError: 0.002, answer: /** @type {const} */ ('change') },
    ];
    const [first, second] = findChangePoints(points, { direct }).changes;
    expect(first).toEqual({
      at: 1,
      range: [1, 1],
      step: { log: 0.02, standardError: 0.002 },
      isDirect: true,
    });
    expect(second).toMatchObject({ at: 3, isDirect: false });
  });

  test('decide that there is none, which moves the change', () => {
    const direct = [
      ...Array(3).fill(null),
      { ...one, log: 0, answer: /** @type {const} */ ('none') },
    ];
    const places = findChangePoints(points, { direct }).changes.map(({ at }) => at);
    expect(places).toHaveLength(1);
    expect(places).not.toContain(3);
  });

  test.each([
    ['nearer to no change', 0.04, 0.01, []],
    ['nearer to the step of the series', 0.06, 0.02, [3]],
    ['that is no more than chance', 0.06, 0.04, []],
  ])('without a verdict decide by their ratio, %s', (_, log, standardError, places) => {
    // Precise enough that the change fits nowhere else.
    const steep = levelsOf([3, 0], [3, 0.1]).map((level) => ({ log: level, standardError: 0.02 }));
    const open = { log, standardError, answer: /** @type {const} */ ('open') };
    const none = { log: 0, standardError: 0.02, answer: /** @type {const} */ ('none') };
    const direct = [null, none, none, open, none, none];
    expect(findChangePoints(steep, { direct }).changes.map(({ at }) => at)).toEqual(places);
  });
});

test('points may differ by more than their errors', () => {
  const points = [0, 0.05, 0, 0.05, 0, 0.05].map((log) => ({ log, standardError: 0.005 }));
  expect(findChangePoints(points).changes).toHaveLength(5);
  expect(findChangePoints(points, { spread: 0.03 }).changes).toEqual([]);
});

test('a standard error from few processes counts as a larger one', () => {
  expect(toNormalError({ standardError: 1, degreesOfFreedom: 10 })).toBeCloseTo(4.587 / 3.2905, 3);
  expect(toNormalError({ standardError: 1, degreesOfFreedom: 1e6 })).toBeCloseTo(1, 4);
  expect(toNormalError({ standardError: 1, degreesOfFreedom: 8 }, 0.05)).toBeCloseTo(
    2.306 / 1.96,
    3,
  );
});

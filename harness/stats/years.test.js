import { seedGenerator } from './random.js';
import { drawYears, followYears, takeRate } from './years.js';

test('the interval of a rate is that of Garwood', () => {
  // Table in Garwood (1936): 3 events, 0.619 to 8.767.
  expect(takeRate(3, 1)).toMatchObject({ estimate: 3, low: expect.closeTo(0.6187, 3) });
  expect(takeRate(3, 2).high).toBeCloseTo(8.7673 / 2, 3);
  expect(takeRate(0, 10)).toMatchObject({ low: 0, high: expect.closeTo(0.3689, 3) });
});

const BRANCH = { falseAlarmsPerYear: 1, mergesPerYear: 1200, cells: 60 };

describe('the levels of the confirmations of a year add up to the false alarms wanted', () => {
  /** @type {(perMerge: number) => number[]} */
  const spend = (perMerge) => {
    const year = Array(BRANCH.mergesPerYear).fill(perMerge);
    return followYears([year, year], BRANCH).map(({ spent }) => spent);
  };

  test.each([0.1, 1, 4])('and to no more, with %d of a merge', (perMerge) => {
    const [first, second] = spend(perMerge);
    expect(first).toBeLessThan(1.001);
    expect(second).toBeLessThan(1.001);
    expect(second).toBeGreaterThan(0.5);
  });

  test('soon, where more are asked for than is usual', () => {
    const [first, second] = spend(20);
    expect(first).toBeLessThan(1.2);
    expect(second).toBeLessThan(1.02);
  });
});

test('what a second year asks for counts from then on, not what the first did', () => {
  const [many, none] = [4, 0].map((count) => Array(BRANCH.mergesPerYear).fill(count));
  const last = [...none.slice(1), 1];
  const [, , after] = followYears([many, last, none], BRANCH);
  expect(after.level).toBeGreaterThan(5e-3);
});

describe('years that are drawn', () => {
  const quiet = { drifts: takeRate(0, 1000), errors: takeRate(10, 20) };
  const draw = (/** @type {number[]} */ confirmations, seed = 1) =>
    drawYears({ ...quiet, confirmations }, BRANCH, 100, seedGenerator(seed));

  test('are the same with the same seed, and others with another', () => {
    expect(draw([0, 2, 4])).toEqual(draw([0, 2, 4]));
    expect(draw([0, 2, 4])).not.toEqual(draw([0, 2, 4], 2));
  });

  test('have the share of errors that was counted', () => {
    const [, { falseAlarms }] = draw(Array(200).fill(4));
    expect(falseAlarms.estimate).toBeGreaterThan(0.4);
    expect(falseAlarms.estimate).toBeLessThan(0.65);
    expect(falseAlarms.low).toBeLessThan(0.35);
    expect(falseAlarms.high).toBeGreaterThan(0.75);
  });

  test('do not take a sample without a suspicion for a branch that has none', () => {
    const [, { falseAlarms }] = draw(Array(100).fill(0));
    expect(falseAlarms.estimate).toBeGreaterThan(0);
  });
});

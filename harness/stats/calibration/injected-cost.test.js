import { expect, test } from '@jest/globals';
import { READING_NS } from '../../testing/simulation/measurements.js';
import { drawUniform, seedGenerator } from '../random.js';
import { describeCost, describePlain, orderTurns, takeCosts } from './injected-cost.js';

const SURE = { ns: 1000, squaredError: 0 };
const ROUNDS = [1, 11, 101];
const TURNS = 10;
const ORDER = orderTurns({ seed: 1, turns: TURNS, count: ROUNDS.length });

/**
 * A process in which each round costs 1 ns; while it was disturbed everything takes 50 % longer.
 *
 * @param {(batch: number) => boolean} isDisturbed
 * @param {(side: number, batch: number) => number} [errorOf] nanoseconds more
 */
function alternate(isDisturbed, errorOf = () => 0) {
  const factorOf = (/** @type {number} */ batch) => (isDisturbed(batch) ? 1.5 : 1);
  return {
    batchNsPerDocument: ORDER.map(
      (side, batch) => (999 + ROUNDS[side] + errorOf(side, batch)) * factorOf(batch),
    ),
    referenceLoopNs: Array.from({ length: ORDER.length + 1 }, (_, i) => READING_NS * factorOf(i)),
  };
}

test('every turn has each number of rounds once, in random order', () => {
  const turns = Array.from({ length: TURNS }, (_, turn) => ORDER.slice(turn * 3, turn * 3 + 3));
  for (const turn of turns) expect(turn.toSorted()).toEqual([0, 1, 2]);
  expect(new Set(turns.map(String)).size).toBeGreaterThan(1);
  expect(orderTurns({ seed: 1, turns: TURNS, count: 3 })).toEqual(ORDER);
});

test.each([
  ['nothing disturbs it', () => false],
  ['half of the turns are disturbed', (/** @type {number} */ batch) => batch < ORDER.length / 2],
])('the cost of rounds is found where %s', (_, isDisturbed) => {
  const { line, alone } = takeCosts(alternate(isDisturbed), ORDER, ROUNDS);
  for (const [index, cost] of [10, 100].entries()) {
    expect(line[index]).toBeCloseTo(cost, 9);
    expect(alone[index]).toBeCloseTo(cost, 9);
  }
});

test('the line estimates a small cost better than its own difference', () => {
  const lifted = (/** @type {number} */ side) => (side === 1 ? 8 : 0);
  const { line, alone } = takeCosts(
    alternate(() => false, lifted),
    ORDER,
    ROUNDS,
  );
  expect(alone[0]).toBeCloseTo(18, 9);
  expect(Math.abs(line[0] - 10)).toBeLessThan(0.5);
});

test('occasional slow batches do not affect a cost', () => {
  const random = seedGenerator(3);
  const [turns, rounds] = [2_000, [1, 6, 11, 21, 51, 101]];
  const order = orderTurns({ seed: 1, turns, count: rounds.length });
  const batchNsPerDocument = order.map(
    (side) => 999 + rounds[side] - 20 * Math.log(1 - drawUniform(random)),
  );
  const referenceLoopNs = Array(order.length + 1).fill(READING_NS);
  const { line, alone } = takeCosts({ batchNsPerDocument, referenceLoopNs }, order, rounds);
  expect(Math.abs(line[4] - 100)).toBeLessThan(2);
  expect(Math.abs(alone[4] - 100)).toBeLessThan(3);
});

test('rounds that allocate pay for collections in proportion to their garbage', () => {
  const [turns, rounds] = [4_000, [100, 200, 500]];
  const order = orderTurns({ seed: 2, turns, count: rounds.length });
  const [documentsPerBatch, capacity, pauseMs] = [10, 6_000, 0.5];
  let filled = 0;
  const batchGcMs = order.map((side) => {
    filled += rounds[side] * documentsPerBatch;
    if (filled < capacity) return 0;
    filled -= capacity;
    return pauseMs;
  });
  const batchNsPerDocument = order.map(
    (side, batch) => 1000 + rounds[side] + (batchGcMs[batch] * 1e6) / documentsPerBatch,
  );
  const referenceLoopNs = Array(order.length + 1).fill(READING_NS);
  const measured = { batchNsPerDocument, batchGcMs, documentsPerBatch, referenceLoopNs };
  // A round takes 1 ns and its share of the pause that 6000 of them cause.
  const perRoundNs = 1 + (pauseMs * 1e6) / capacity;
  const { line, alone } = takeCosts(measured, order, rounds, 'allocation');
  expect(Math.abs(line[1] / (400 * perRoundNs) - 1)).toBeLessThan(0.05);
  expect(Math.abs(alone[1] / (400 * perRoundNs) - 1)).toBeLessThan(0.05);
  expect(takeCosts(measured, order, rounds).line[1]).toBeCloseTo(400, 6);
});

test('all turns count where none was undisturbed', () => {
  const { line, alone } = takeCosts(
    alternate((batch) => batch % 2 === 0),
    ORDER,
    ROUNDS,
  );
  expect([...line, ...alone].every(Number.isFinite)).toBe(true);
});

test('the ratio is that of the processes, with an interval', () => {
  const { estimate, low, high } = describeCost([9, 10, 11, 10], SURE);
  expect(estimate).toBeCloseTo(1.01, 9);
  // Student's quantile with 3 degrees of freedom is 3.182, the error of the mean 0.408.
  expect(high - estimate).toBeCloseTo((3.182 * 0.408) / 1000, 5);
  expect(estimate - low).toBeCloseTo(high - estimate, 12);
  expect(describeCost([10], SURE)).toEqual({ estimate: 1.01, low: 1.01, high: 1.01 });
});

test('the error of the baseline widens the interval of a large cost', () => {
  const unsure = { ns: 1000, squaredError: 0.01 ** 2 };
  const { estimate, low, high } = describeCost([99, 101, 100, 100], unsure);
  expect(estimate).toBeCloseTo(1.1, 9);
  expect(high - estimate).toBeCloseTo(3.182 * Math.hypot(0.408, 1) * 1e-3, 5);
  expect(estimate - low).toBeCloseTo(high - estimate, 12);
});

test('the baseline is the trimmed mean of ordinary processes, with its error', () => {
  const { ns, squaredError } = describePlain([990, 1000, 1010, 1000, 3000]);
  expect(ns).toBeGreaterThan(995);
  expect(ns).toBeLessThan(1010);
  expect(squaredError).toBeGreaterThan(0);
  expect(describePlain([1000])).toEqual({ ns: 1000, squaredError: 0 });
});

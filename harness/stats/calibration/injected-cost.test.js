import { READING_NS } from '../../testing/simulation/measurements.js';
import { drawUniform, seedGenerator } from '../random.js';
import {
  addCollection,
  describeCost,
  describePlain,
  orderTurns,
  takeCollection,
  takeCosts,
} from './injected-cost.js';

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

test('garbage collection is no part of a cost, until that of ordinary processes is added', () => {
  const random = seedGenerator(4);
  const plain = alternate(() => false);
  const batchGcMs = ORDER.map(() => (drawUniform(random) < 0.3 ? 0.02 : 0));
  const documentsPerBatch = 10;
  const batchNsPerDocument = plain.batchNsPerDocument.map(
    (ns, batch) => ns + (batchGcMs[batch] * 1e6) / documentsPerBatch,
  );
  const collecting = { ...plain, batchNsPerDocument, batchGcMs, documentsPerBatch };
  const costs = takeCosts(collecting, ORDER, ROUNDS);
  expect(costs.line[1]).toBeCloseTo(100, 6);
  const whole = addCollection(costs, ROUNDS, { fewestNs: 30, mostNs: 80 });
  expect(whole.line.map(Math.round)).toEqual([15, 150]);
  expect(whole.alone.map(Math.round)).toEqual([15, 150]);
});

test('the garbage collection of a process is that of its undisturbed batches', () => {
  const { referenceLoopNs } = alternate((batch) => batch >= 6);
  const batchGcMs = ORDER.map((_, batch) => (batch >= 5 ? 1 : batch % 2 === 0 ? 0.02 : 0));
  const measured = { batchNsPerDocument: [], batchGcMs, documentsPerBatch: 10, referenceLoopNs };
  // 0.06 ms in five batches of ten documents
  expect(takeCollection(measured)).toBeCloseTo(1200, 6);
  expect(takeCollection({ batchNsPerDocument: [] })).toBe(0);
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

import { expect, test } from '@jest/globals';
import { estimateLongestMs, orderGroups, allocateBudget } from './budget.js';

/** @import { ClaimGroup } from './claims.js' */

/**
 * @param {ClaimGroup['kind']} kind
 * @param {string[]} corpora
 * @returns {ClaimGroup}
 */
function makeGroup(kind, corpora) {
  const claims = corpora.map((corpus) => ({
    id: `T-1/${corpus}`,
    source: 'T-1',
    statement: 'So it is.',
    baseline: 'a',
    candidate: 'b',
    operation: 'serialize',
    corpus,
    figure: /** @type {const} */ ({ formula: 'direction', direction: 'slower' }),
    tolerance: 1,
  }));
  return { kind, baseline: 'a', candidate: 'b', claims };
}

const small = makeGroup('time', ['flat', 'flat']);
const large = makeGroup('time', ['flat', 'deep', 'full']);
const memory = makeGroup('memory', ['flat']);

test('time is shared by cells, and what is left goes to those that follow', () => {
  const first = allocateBudget(400_000, [small, large]) ?? 0;
  const second = allocateBudget(400_000 - first * 1000, [large]) ?? 0;
  expect(second / first).toBeCloseTo(3, 1);
  expect(first + second).toBeLessThan(400);
  expect(allocateBudget(300_000, [large])).toBeGreaterThan(allocateBudget(200_000, [large]) ?? 0);
});

test('a small difference has more time than others, and comes after them', () => {
  const [claim] = small.claims;
  const figure = /** @type {const} */ ({ formula: 'time-percent', percent: 3 });
  const slight = { ...small, claims: [{ ...claim, figure }] };
  const ordinary = allocateBudget(400_000, [small, small]) ?? 0;
  expect(allocateBudget(400_000, [slight, small])).toBeCloseTo((ordinary * 4) / 3, 5);
  expect(orderGroups([slight, small, memory, large])).toEqual([small, memory, large, slight]);
});

test('a pass over memory has no share of its own and its time is set aside', () => {
  expect(allocateBudget(400_000, [memory, small])).toBeNull();
  const alone = allocateBudget(400_000, [small]) ?? 0;
  expect(allocateBudget(400_000, [small, memory])).toBeLessThan(alone - 50);
});

test('nobody goes away with nothing', () => {
  expect(allocateBudget(-5000, [small])).toBe(1);
  expect(allocateBudget(20_000, [small, memory])).toBe(10);
});

test('what is said beforehand is the budget, less where little is to be measured', () => {
  const many = Array.from({ length: 20 }, () => large);
  expect(estimateLongestMs(many, 540_000)).toBe(540_000);
  expect(estimateLongestMs([small], 540_000)).toBeLessThan(120_000);
  expect(estimateLongestMs([memory], 10_000)).toBeGreaterThan(60_000);
});

import { makeClaim } from '../../../reports/content/test-support/make-reproduction.js';
import { allocateBudget, estimateLongestMs, orderGroups } from './budget.js';

/** @import { ClaimGroup } from './claims.js' */
/** @import { ReportedFigure } from '../../formats/types.ts' */

/**
 * @param {ClaimGroup['kind']} kind
 * @param {string[]} corpora
 * @param {ReportedFigure} [figure]
 * @returns {ClaimGroup}
 */
function makeGroup(kind, corpora, figure = { formula: 'direction', direction: 'slower' }) {
  const claims = corpora.map((corpus) => makeClaim(corpus, { corpus, figure }));
  return { kind, baseline: 'recursive', candidate: 'generator', claims };
}

const one = makeGroup('time', ['flat', 'flat']);
const three = makeGroup('time', ['flat', 'deep', 'full']);
const slight = makeGroup('time', ['flat'], { formula: 'time-percent', percent: 3 });
const memory = makeGroup('memory', ['flat']);

/**
 * @param {number} leftMs
 * @param {ClaimGroup[]} groups
 * @returns {number} seconds
 */
const allocate = (leftMs, groups) => allocateBudget(leftMs, groups) ?? NaN;

test('time is allocated by cells, and unused time goes to later groups', () => {
  const first = allocate(400_000, [one, three]);
  const second = allocate(400_000 - first * 1000, [three]);
  expect(second / first).toBeCloseTo(3, 1);
  expect(first + second).toBeLessThan(400);
  expect(allocate(300_000, [three])).toBeGreaterThan(allocate(200_000, [three]));
});

test('a group with a small difference gets twice the time, and comes last', () => {
  const ordinary = allocate(400_000, [one, one]);
  expect(allocate(400_000, [slight, one])).toBeCloseTo((ordinary * 4) / 3, 5);
  expect(orderGroups([slight, one, memory, three])).toEqual([one, memory, three, slight]);
});

test('a memory pass gets no budget, and its time is reserved', () => {
  expect(allocateBudget(400_000, [memory, one])).toBeNull();
  expect(allocate(400_000, [one, memory])).toBeLessThan(allocate(400_000, [one]) - 50);
});

test.each([
  ['the minimum of a second', -5000, [one], 1],
  ['half of a short time', 20_000, [one, memory], 10],
])('every timed group gets at least %s', (_, leftMs, groups, seconds) => {
  expect(allocate(leftMs, groups)).toBe(seconds);
});

test('the estimate is the budget, less if little is measured, and more if memory is', () => {
  const many = Array.from({ length: 20 }, () => three);
  expect(estimateLongestMs(many, 540_000)).toBe(540_000);
  expect(estimateLongestMs([one], 540_000)).toBeLessThan(120_000);
  expect(estimateLongestMs([memory], 10_000)).toBeGreaterThan(60_000);
});

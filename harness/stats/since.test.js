import { readFollowing } from '../studies/follow/following.js';
import { hashOf, makeBranch } from '../studies/follow/test-support/records.js';
import { compareSince } from './since.js';

const { records } = makeBranch();
const following = readFollowing(records);

/** @type {(from: number, to: number) => ReturnType<typeof compareSince>} */
function compare(from, to) {
  if (following === null) throw new Error('nothing is followed');
  return compareSince(following, hashOf(from), hashOf(to));
}

test('the changes after the first commit, up to the last', () => {
  const idsOf = (/** @type {number} */ from, /** @type {number} */ to) =>
    compare(from, to).changes.map(({ after }) => Number(after.slice(0, 4)) - 1);
  expect(idsOf(0, 11)).toEqual([2, 4, 5, 7, 9]);
  expect(idsOf(2, 7)).toEqual([4, 5, 7]);
});

test('cells from the levels of their series', () => {
  const [flat, deep] = compare(0, 8).cells;
  expect(flat.source).toBe('levels');
  expect(flat.ratio?.estimate).toBeCloseTo(0.88, 2);
  expect(deep.ratio?.estimate).toBeCloseTo(0.8 * 1.08, 2);
  for (const { ratio } of [flat, deep]) {
    expect(ratio?.low).toBeLessThan(ratio?.estimate ?? 0);
    expect(ratio?.high).toBeGreaterThan(ratio?.estimate ?? 0);
  }
});

test('without a change, the points on either side, whose interval contains 1', () => {
  const { ratio } = compare(2, 6).cells[1];
  expect(ratio?.low).toBeLessThan(1);
  expect(ratio?.high).toBeGreaterThan(1);
});

test('neighbours that were compared side by side have that ratio', () => {
  const [flat, deep] = compare(8, 9).cells;
  expect(flat).toMatchObject({ source: 'direct', ratio: { estimate: expect.closeTo(1.21) } });
  expect(deep.source).toBe('levels');
});

test('no ratio to a commit that has no point yet', () => {
  expect(compare(5, 5).cells.map(({ ratio }) => ratio)).toEqual([null, null, null]);
});

test('the reference, to which points are ratios already; its own build adds to the interval', () => {
  if (following === null) throw new Error('nothing is followed');
  const { cells, changes } = compareSince(following, null, hashOf(8));
  expect(cells[0].ratio?.estimate).toBeCloseTo(0.88, 2);
  expect(cells[1].ratio?.estimate).toBeCloseTo(0.8 * 1.08, 2);
  expect(cells[0].ratio?.high).toBeGreaterThan(0.88 * 1.02);
  expect(changes.map(({ after }) => Number(after.slice(0, 4)) - 1)).toEqual([2, 4, 5, 7]);
});

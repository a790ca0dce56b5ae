import { prepareFlameData } from '../figures/flame-data.js';
import { makeLargeView, makeView } from '../figures/test-support/flame-fixtures.js';
import { buildFlameTree, matchesTerm, presenceOf, sumMatches } from './flame-tree.js';

/** @import { FlameNode } from './flame-tree.js' */

const DATA = prepareFlameData(
  makeView([
    ['run', -1, 10, 10],
    ['gone', 0, 80, 0],
    ['fresh', 0, 0, 60],
    ['gone', 2, 0, 5],
  ]),
  100,
);

/**
 * @param {FlameNode} node
 * @returns {FlameNode[]}
 */
const listAll = (node) => [node, ...node.children.flatMap(listAll)];

describe('the tree of a flamegraph', () => {
  test('shows a function that is gone at its former size beside a new one', () => {
    const [run] = buildFlameTree(DATA, 'difference', 'all').children;
    expect(run?.children.map(({ name, value }) => [name, value])).toEqual([
      ['gone', 80],
      ['fresh', 65],
    ]);
    expect(run?.value).toBe(145);
  });

  test('shows in the view of one arm only what that arm runs, at its size there', () => {
    const baseline = listAll(buildFlameTree(DATA, 'baseline', 'all'));
    expect(baseline.map(({ name, value }) => [name, value])).toEqual([
      ['all', 90],
      ['run', 90],
      ['gone', 80],
    ]);
    const candidate = listAll(buildFlameTree(DATA, 'candidate', 'all'));
    expect(candidate.map(({ name }) => name)).toEqual(['all', 'run', 'fresh', 'gone']);
  });

  test('never has children wider than their parent', () => {
    const large = prepareFlameData(makeLargeView(2000), 1500);
    for (const view of /** @type {const} */ (['difference', 'baseline', 'candidate'])) {
      const tooWide = listAll(buildFlameTree(large, view, 'all')).filter((node) => {
        const inner = node.children.reduce((sum, child) => sum + child.value, 0);
        return !(inner <= node.value * (1 + 1e-9));
      });
      expect(tooWide).toEqual([]);
    }
  });

  test('gives a function the same index in every view', () => {
    const indexOf = (/** @type {'baseline' | 'difference'} */ view) =>
      listAll(buildFlameTree(DATA, view, 'all')).find(({ name }) => name === 'gone')?.index;
    expect(indexOf('baseline')).toBe(indexOf('difference'));
  });

  test('distinguishes a function that is gone from one that is called from elsewhere', () => {
    const all = listAll(buildFlameTree(DATA, 'difference', 'all'));
    expect(all.map(({ name, isElsewhere }) => [name, isElsewhere])).toEqual([
      ['all', false],
      ['run', false],
      ['gone', true],
      ['fresh', false],
      ['gone', true],
    ]);
  });

  test('says which arms run a function', () => {
    expect(presenceOf({ baseline: 1, candidate: 0 })).toBe('gone');
    expect(presenceOf({ baseline: 0, candidate: 1 })).toBe('new');
    expect(presenceOf({ baseline: 1, candidate: 1 })).toBe('both');
    expect(presenceOf({ baseline: 0, candidate: 0 })).toBe('none');
  });
});

describe('a search', () => {
  const root = buildFlameTree(DATA, 'difference', 'all');

  test('counts a match within another match, but its time once', () => {
    const found = sumMatches(root, ({ name }) => name === 'fresh' || name === 'gone');
    expect(found).toEqual({ matches: 3, total: { baseline: 80, candidate: 65 } });
  });

  test('matches names and files, ignoring case, and treats no term as a pattern', () => {
    const [run] = root.children;
    if (run === undefined) throw new Error('no node');
    expect(matchesTerm(run, 'RUN')).toBe(true);
    expect(matchesTerm(run, 'codec/run.js')).toBe(true);
    expect(matchesTerm(run, 'r.n')).toBe(false);
    expect(matchesTerm(run, '(')).toBe(false);
    expect(matchesTerm(run, '')).toBe(false);
  });
});

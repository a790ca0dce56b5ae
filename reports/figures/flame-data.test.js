import { buildFlameTree } from '../page/flame-tree.js';
import { prepareFlameData } from './flame-data.js';
import {
  makeCellProfiles,
  makeLargeView,
  makeView,
  sumWeights,
} from './test-support/flame-fixtures.js';

/** @import { FlameNode } from '../page/flame-tree.js' */

const LARGE = makeLargeView(6000);

/** @param {number[]} weights */
const sum = (weights) => weights.reduce((total, weight) => total + weight, 0);

describe('the data of a flamegraph', () => {
  test('have the sums of the profile, however few nodes are allowed', () => {
    const whole = sumWeights(LARGE.differential.nodes);
    for (const budget of [1, 7, 150, 1500]) {
      const { nodes } = prepareFlameData(LARGE, budget);
      expect(nodes.frame.length).toBeLessThanOrEqual(budget);
      expect(sum(nodes.baseline) / whole.baseline).toBeCloseTo(1, 5);
      expect(sum(nodes.candidate) / whole.candidate).toBeCloseTo(1, 5);
    }
  });

  test('keep the total of every function that is not folded', () => {
    const [view] = makeCellProfiles().views;
    if (view === undefined) throw new Error('no view');
    const root = buildFlameTree(prepareFlameData(view, 1500), 'difference', 'all');
    const writeText = findByName(root, 'writeText');
    expect(writeText?.total).toEqual({ baseline: 3001, candidate: 3301 });
    expect(writeText?.children.map(({ name, self }) => ({ name, self }))).toEqual([
      { name: '(other)', self: { baseline: 1, candidate: 1 } },
    ]);
  });

  test('say how much was folded', () => {
    const { folded, nodes } = prepareFlameData(LARGE, 150);
    const isOther = nodes.frame.map((frame) => frame === -1);
    expect(folded.nodes).toBe(6000 - isOther.filter((other) => !other).length);
    const others = nodes.baseline.filter((_, index) => isOther[index]);
    expect(sum(others) / folded.baseline).toBeCloseTo(1, 4);
  });

  test('have parents before children, and the wider sibling first', () => {
    const view = makeView([
      ['run', -1, 1, 1],
      ['narrow', 0, 10, 20],
      ['wide', 0, 90, 0],
      ['below', 1, 5, 5],
    ]);
    const { nodes, frames } = prepareFlameData(view, 10);
    expect(nodes.frame.map((frame) => frames[frame]?.[0])).toEqual([
      'run',
      'wide',
      'narrow',
      'below',
    ]);
    expect(nodes.parent).toEqual([-1, 0, 0, 2]);
  });

  test('are the same for the same profile', () => {
    expect(prepareFlameData(LARGE, 300)).toEqual(prepareFlameData(makeLargeView(6000), 300));
  });

  test('keep a function that only the baseline runs', () => {
    const view = makeView([
      ['run', -1, 1000, 10],
      ['gone', 0, 40, 0],
    ]);
    expect(prepareFlameData(view, 10).frames.map(([name]) => name)).toContain('gone');
  });

  test('name only the functions that are drawn, with invisible characters escaped', () => {
    const view = makeView([
      ['run', -1, 1000, 10],
      ['un\u202eseen', -1, 0.001, 0],
      ['odd\u202e', -1, 100, 0],
    ]);
    const names = prepareFlameData(view, 10).frames.map(([name]) => name);
    expect(names).toEqual(['run', 'odd\\u{202e}']);
  });

  test('are empty for a profile that is', () => {
    expect(prepareFlameData(makeView([]), 10).nodes.frame).toEqual([]);
  });
});

/** @type {(node: FlameNode, name: string) => FlameNode | undefined} */
function findByName(node, name) {
  if (node.name === name) return node;
  return node.children.map((child) => findByName(child, name)).find((found) => found !== undefined);
}

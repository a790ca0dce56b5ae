import { describe, expect, test } from '@jest/globals';
import { makeCell, makeEmptyCell } from './fixtures.js';
import { chooseMeans, describeLead, findSeries, placeInSeries } from './series.js';

/** @import { CellComparison, VerdictWord } from '../../harness/formats/types.ts' */

/**
 * @param {number} at
 * @param {VerdictWord} verdict
 * @param {{ corpus?: string, node?: string }} [place]
 * @returns {CellComparison}
 */
function makePoint(at, verdict, { corpus = 'urls', node } = {}) {
  const operation = `construct-getters-${at}`;
  const sketch = { operation, corpus, verdict, ratio: /** @type {const} */ ([0.9, 1, 1.1]) };
  const comparison = makeCell({ ...sketch, ratio: [...sketch.ratio], ...(node && { node }) });
  const series = { name: 'getters', label: 'getters read', at };
  return { ...comparison, cell: { ...comparison.cell, series } };
}

/** @param {VerdictWord[]} verdicts at 0, 2, 4, … */
function tell(verdicts) {
  const cells = verdicts.map((verdict, index) => makePoint(2 * index, verdict));
  return findSeries({ cells }).map(describeLead);
}

describe('a series', () => {
  test('is found by corpus and Node, its points in the order of the number', () => {
    const cells = [
      makePoint(10, 'slower'),
      makePoint(2, 'faster'),
      makePoint(2, 'faster', { corpus: 'urls-adversarial' }),
      makePoint(2, 'faster', { node: '22.11.0' }),
      makePoint(4, 'faster', { node: '22.11.0' }),
      makeCell({ operation: 'construct', corpus: 'urls', verdict: 'faster', ratio: [0.8, 0.9, 1] }),
    ];
    const found = findSeries({ cells });
    expect(
      found.map(({ corpus, node, points }) => [corpus, node, points.map(({ at }) => at)]),
    ).toEqual([
      ['urls', undefined, [2, 10]],
      ['urls', '22.11.0', [2, 4]],
    ]);
    const places = cells.map(({ cell }) => placeInSeries(found, cell)?.at ?? null);
    expect(places).toEqual([10, 2, 2, 2, 4, null]);
  });

  test('needs no geometric mean of one of its points', () => {
    const cells = [
      makePoint(0, 'faster'),
      makePoint(2, 'faster'),
      makeCell({ operation: 'construct', corpus: 'urls', verdict: 'faster', ratio: [0.8, 0.9, 1] }),
    ];
    const ratio = { estimate: 0.9, low: 0.8, high: 1 };
    const summaries = cells.map(({ cell: { operation } }) => ({ operation, cellCount: 1, ratio }));
    const ofSeveral = summaries.map((summary) => ({ ...summary, cellCount: 2 }));
    expect(chooseMeans({ cells, summaries }).map(({ operation }) => operation)).toEqual([
      'construct',
    ]);
    expect(chooseMeans({ cells, summaries: ofSeveral })).toHaveLength(3);
  });

  test('has no point where nothing was measured', () => {
    const empty = makeEmptyCell('construct-getters-2', 'urls', 'inconclusive');
    const series = { name: 'getters', label: 'getters read', at: 2 };
    const cells = [makePoint(0, 'faster'), { ...empty, cell: { ...empty.cell, series } }];
    expect(findSeries({ cells })).toEqual([]);
  });
});

describe('where the lead goes', () => {
  /** @type {[string, VerdictWord[], string][]} */
  const cases = [
    ['nowhere', ['faster', 'faster', 'faster'], 'faster at every point, 0 to 4 getters read'],
    [
      'over to the baseline',
      ['faster', 'faster', 'inconclusive', 'slower', 'slower'],
      'faster up to 2 getters read, no difference known at 4, slower from 6 on',
    ],
    [
      'at both ends in one point',
      ['slower', 'equivalent', 'equivalent', 'faster'],
      'slower at 0 getters read, equivalent from 2 to 4, faster at 6',
    ],
    [
      'where a point is not to be trusted',
      ['faster', 'untrusted', 'faster', 'faster'],
      'faster at 0 getters read, not to be trusted at 2, faster from 4 on',
    ],
  ];
  test.each(cases)('%s', (_, verdicts, words) => {
    expect(tell(verdicts)).toEqual([words]);
  });
});

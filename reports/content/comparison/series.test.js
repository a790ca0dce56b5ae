import { parseHTML } from 'linkedom';
import { compareTrimmedMeans, halfWidth } from '../../../harness/stats/robust.js';
import { renderHtml } from '../../fixtures/render.js';
import { recordedRun } from '../../fixtures/runs.js';
import { makeCell, makeEmptyCell, makeManifest, makeVerdict } from '../../fixtures/build.js';
import { makeMeansSection } from './means.js';
import { describeLead, findSeries, intervalOfMean, placeInSeries } from './series.js';

/** @import { CellComparison, VerdictWord } from '../../../harness/formats/types.ts' */
/** @import { RenderInput } from '../../types.ts' */

/** @type {(at: number, verdict: VerdictWord, place?: { corpus?: string, runtime?: string }) => CellComparison} */
function makePoint(at, verdict, { corpus = 'urls', runtime } = {}) {
  const operation = `construct-getters-${at}`;
  const sketch = { operation, corpus, verdict, ratio: /** @type {const} */ ([0.9, 1, 1.1]) };
  const comparison = makeCell({ ...sketch, ratio: [...sketch.ratio], ...(runtime && { runtime }) });
  const series = { name: 'getters', label: 'getters read', at };
  return { ...comparison, cell: { ...comparison.cell, series } };
}

/** @param {VerdictWord[]} verdicts at 0, 2, 4, … */
function tell(verdicts) {
  const cells = verdicts.map((verdict, index) => makePoint(2 * index, verdict));
  return findSeries({ cells }).map(describeLead);
}

describe('a series', () => {
  test('is found by corpus and runtime, its points in the order of the number', () => {
    const cells = [
      makePoint(10, 'slower'),
      makePoint(2, 'faster'),
      makePoint(2, 'faster', { corpus: 'urls-adversarial' }),
      makePoint(2, 'faster', { runtime: 'node@22.11.0' }),
      makePoint(4, 'faster', { runtime: 'node@22.11.0' }),
      makeCell({ operation: 'construct', corpus: 'urls', verdict: 'faster', ratio: [0.8, 0.9, 1] }),
    ];
    const found = findSeries({ cells });
    expect(
      found.map(({ corpus, runtime, points }) => [corpus, runtime, points.map(({ at }) => at)]),
    ).toEqual([
      ['urls', undefined, [2, 10]],
      ['urls', 'node@22.11.0', [2, 4]],
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
    const listMeans = (/** @type {typeof summaries} */ some) => {
      const verdict = makeVerdict(cells, { summaries: some });
      const [table] = makeMeansSection(makeManifest(), verdict).blocks;
      return table?.kind === 'table' ? table.rows.length : null;
    };
    const ofOne = ofSeveral.map((mean, index) => (index === 2 ? mean : { ...mean, cellCount: 1 }));
    expect(listMeans(ofOne)).toBe(1);
    expect(listMeans(ofSeveral)).toBe(3);
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

const run = recordedRun('series');

/** @type {(input: RenderInput) => Element[]} the figures */
function drawFigures(input) {
  const { document } = parseHTML(renderHtml(input));
  return [...document.querySelectorAll('.series figure')];
}

describe('a run with a series', () => {
  test('has one plot a corpus, and none for cells without a series', () => {
    const other = run.verdict.cells.map((comparison) => ({
      ...comparison,
      cell: { ...comparison.cell, id: `${comparison.cell.id}-adversarial`, corpus: 'adversarial' },
    }));
    const cells = [...run.verdict.cells, ...other];
    expect(drawFigures({ ...run, verdict: { ...run.verdict, cells } })).toHaveLength(2);
    expect(drawFigures(recordedRun('faster'))).toEqual([]);
  });
});

const TIMES = [100, 103, 98, 101, 180, 99, 102, 97, 100, 104];

test('the interval is the part of one arm in the test that makes the verdict', () => {
  const logs = TIMES.map(Math.log);
  // Two arms alike have twice the variance and twice the degrees of freedom of one.
  const both = compareTrimmedMeans(logs, logs);
  const one = {
    .../** @type {NonNullable<typeof both>} */ (both),
    standardError: (both?.standardError ?? NaN) / Math.SQRT2,
    degreesOfFreedom: (both?.degreesOfFreedom ?? NaN) / 2,
  };
  const interval = intervalOfMean(TIMES, 0.05);
  const half = Math.log((interval?.high ?? NaN) / (interval?.estimate ?? NaN));
  expect(half).toBeCloseTo(halfWidth(one, 0.05), 12);
  expect(interval?.estimate).toBeCloseTo(100.8, 0);
});

test('one process has no interval', () => {
  expect(intervalOfMean([100], 0.05)).toBeNull();
});

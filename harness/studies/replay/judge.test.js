import { makeCell, makeEmptyCell, makeManifest } from '../../../reports/fixtures/build.js';
import { countReproduced, sketchCell } from '../test-support/sketch-intervals.js';
import { compareHosts, judgeReplay, listBands } from './judge.js';

/** @import { CellAnswer, ReplayAnswer, VerdictWord } from '../../formats/types.ts' */
/** @import { SketchedInterval } from '../test-support/sketch-intervals.js' */

/** @typedef {[verdict: VerdictWord, low: number, high: number]} Sketch of the result of a cell */

/**
 * Judges a replay of one cell per pair of results.
 *
 * @param {[recorded: Sketch, here: Sketch | null][]} pairs null for a cell that was not measured
 * @param {Parameters<typeof judgeReplay>[2]} [differences]
 */
function judge(pairs, differences = []) {
  const corpora = ['flat', 'deep'].slice(0, pairs.length);
  const places = corpora.map((corpus) => ({ operation: 'serialize', corpus }));
  const cells = places.map((place) => ({ id: `serialize ${place.corpus}`, ...place }));
  const results = pairs.map(([[verdict, low, high]], index) => ({
    cellId: cells[index].id,
    verdict,
    ratio: { estimate: (low + high) / 2, low, high },
  }));
  const measured = pairs.map(([, here], index) => {
    const { operation, corpus } = places[index];
    if (here === null) return makeEmptyCell(operation, corpus, 'inconclusive');
    const [verdict, low, high] = here;
    /** @type {[number, number, number]} */
    const ratio = [low, (low + high) / 2, high];
    return makeCell({ operation, corpus, verdict, ratio, processesNeeded: 40.2 });
  });
  const question = { ...makeManifest().question, cells };
  return judgeReplay({ question, results }, { cells: measured }, differences);
}

/** @type {[string, Sketch, Sketch | null, CellAnswer, RegExp | null][]} */
const CELLS = [
  ['within', ['slower', 1.4, 1.6], ['slower', 1.45, 1.55], 'reproduced', null],
  ['within the minimum effect', ['slower', 1.4, 1.6], ['slower', 1.37, 1.63], 'reproduced', null],
  ['across', ['slower', 1.4, 1.6], ['slower', 1.5, 1.9], 'size-open', /^about \d+ processes/],
  ['wide', ['slower', 1.4, 1.5], ['slower', 1.02, 1.53], 'size-open', /^about \d+ processes/],
  ['larger', ['slower', 1.4, 1.6], ['slower', 1.7, 1.9], 'direction-only', /effect is larger/],
  ['smaller', ['faster', 0.4, 0.5], ['faster', 0.6, 0.7], 'direction-only', /effect is smaller/],
  ['opposite', ['slower', 1.01, 1.1], ['faster', 0.9, 0.99], 'not-reproduced', /faster here/],
  ['equivalent', ['equivalent', 0.98, 1], ['equivalent', 1.01, 1.02], 'reproduced', null],
  ['nearly', ['equivalent', 0.98, 1], ['slower', 1.01, 1.06], 'inconclusive', /^about \d+ proc/],
  ['different', ['equivalent', 0.98, 1], ['slower', 1.04, 1.06], 'not-reproduced', /slower here/],
  [
    'small',
    ['slower', 1.01, 1.06],
    ['equivalent', 0.99, 1.02],
    'not-reproduced',
    /equivalent here/,
  ],
  ['vague', ['slower', 1.01, 2], ['equivalent', 0.99, 1.02], 'not-reproduced', /equivalent here/],
  ['no effect', ['slower', 1.2, 1.4], ['equivalent', 0.99, 1.02], 'not-reproduced', /equivalent/],
  ['apart', ['slower', 1.5, 1.6], ['inconclusive', 0.9, 1.2], 'not-reproduced', /excludes that/],
  ['too wide', ['slower', 1.5, 1.6], ['inconclusive', 0.9, 1.9], 'inconclusive', /^about 1\s078 p/],
  [
    'withdrawn',
    ['slower', 1.5, 1.6],
    ['inconclusive', 1.53, 1.58],
    'inconclusive',
    /^about 41 pro/,
  ],
  ['unsettled report', ['inconclusive', 0.5, 2], ['slower', 1.1, 1.2], 'inconclusive', /report is/],
  ['contradicted', ['inconclusive', 0.9, 1.1], ['slower', 1.4, 1.5], 'not-reproduced', /slower/],
  ['not measured', ['slower', 1.5, 1.6], null, 'inconclusive', /no ratio/],
  ['untrusted here', ['slower', 1.5, 1.6], ['untrusted', 1.5, 1.6], 'inconclusive', /control/],
  [
    'untrusted there',
    ['untrusted', 1.5, 1.6],
    ['slower', 1.5, 1.6],
    'inconclusive',
    /in the report/,
  ],
  ['refused here', ['slower', 1.5, 1.6], ['refused', 1.5, 1.6], 'not-reproduced', /gate here$/],
  ['refused there', ['refused', 1.5, 1.6], ['slower', 1.5, 1.6], 'not-reproduced', /arms pass/],
  ['refused in both', ['refused', 1.5, 1.6], ['refused', 1.5, 1.6], 'reproduced', /gate$/],
];

test.each(CELLS)('a cell: %s', (_, recorded, here, answer, reason) => {
  const [cell] = judge([[recorded, here]]).cells;
  expect(cell.answer).toBe(answer);
  if (reason === null) expect(cell.reason).toBeNull();
  else expect(cell.reason).toMatch(reason);
});

test.each(
  /** @type {Sketch[]} */ ([
    ['slower', 1.4, 1.6],
    ['slower', 1.001, 1.04],
    ['slower', 1.01, 2],
    ['faster', 0.8, 0.99],
    ['equivalent', 0.98, 1.02],
  ]),
)('for one estimate, a wider interval never reproduces more: %s %d %d', (...recorded) => {
  const [verdict, low, high] = recorded;
  const { question } = makeManifest();
  const [cell] = question.cells;
  const results = [
    { cellId: cell.id, verdict, ratio: { estimate: Math.sqrt(low * high), low, high } },
  ];
  const isReproduced = (/** @type {SketchedInterval} */ interval) => {
    const sketch = { ...sketchCell(interval, question.minimumEffect).cell, cell };
    const record = { question: { ...question, cells: [cell] }, results };
    return judgeReplay(record, { cells: [sketch] }, []).answer === 'reproduced';
  };
  expect(countReproduced(isReproduced)).toBeGreaterThan(20);
});

test('measuring continues for the bands of the decided cells', () => {
  const { question } = makeManifest();
  const record = (/** @type {Sketch} */ [verdict, low, high]) => ({
    question,
    results: [
      { cellId: 'serialize flat', verdict, ratio: { estimate: (low + high) / 2, low, high } },
    ],
  });
  const bandOf = (/** @type {Sketch} */ sketch) => listBands(record(sketch))['serialize flat'];
  expect(bandOf(['slower', 1.4, 1.6])).toEqual([{ low: 1.4 / 1.03, high: 1.6 * 1.03 }]);
  expect(bandOf(['slower', 1.01, 1.6])).toEqual([{ low: 1.03, high: 1.6 * 1.03 }]);
  expect(bandOf(['equivalent', 0.98, 1])).toEqual([{ low: 1 / 1.03, high: 1.03 }]);
  expect(bandOf(['inconclusive', 0.5, 2])).toBeUndefined();
  expect(bandOf(['refused', 0.5, 2])).toBeUndefined();
});

describe('a replay', () => {
  const difference = { part: 'processor', recorded: 'one', here: 'another' };

  test.each(
    /** @type {[string, Sketch, (typeof difference)[], ReplayAnswer][]} */ ([
      ['every cell is, on another host', ['slower', 1.45, 1.6], [difference], 'reproduced'],
      ['a cell is not, on another host', ['slower', 2, 2.2], [difference], 'environment-differs'],
      ['a cell is not, on the same host', ['slower', 2, 2.2], [], 'not-reproduced'],
      ['the size of a cell is open', ['slower', 1.5, 1.7], [difference], 'inconclusive'],
      ['a cell is inconclusive', ['inconclusive', 0.8, 1.8], [difference], 'inconclusive'],
    ]),
  )('of two cells, if %s', (_, second, differences, answer) => {
    /** @type {Sketch} */
    const first = ['slower', 1.4, 1.6];
    const replay = judge(
      [
        [first, first],
        [first, second],
      ],
      differences,
    );
    expect(replay.answer).toBe(answer);
  });
});

test('the Node that runs Assay does not count if that of the report measured', () => {
  const { environment } = makeManifest();
  const here = { environment: { ...environment, node: '24.1.0', v8: '13.6' } };
  const listParts = (/** @type {boolean} */ isSameNode) =>
    compareHosts({ environment }, here, isSameNode).map(({ part }) => part);
  expect(listParts(false)).toEqual(['Node', 'V8']);
  expect(listParts(true)).toEqual([]);
});

import { describe, expect, test } from '@jest/globals';
import { makeCell, makeEmptyCell, makeManifest } from '../../../reports/fixtures/build.js';
import { compareHosts, judgeReplay } from './judge.js';

/** @import { CellAnswer, ReplayAnswer, VerdictWord } from '../../formats/types.ts' */

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
  ['intervals overlap', ['slower', 1.4, 1.6], ['slower', 1.5, 1.9], 'reproduced', null],
  ['larger', ['slower', 1.4, 1.6], ['slower', 1.7, 1.9], 'direction-only', /effect is larger/],
  ['smaller', ['faster', 0.4, 0.5], ['faster', 0.6, 0.7], 'direction-only', /effect is smaller/],
  ['opposite', ['slower', 1.01, 1.1], ['faster', 0.9, 0.99], 'not-reproduced', /faster here/],
  ['equivalent', ['equivalent', 0.98, 1], ['equivalent', 1.01, 1.02], 'reproduced', null],
  ['within', ['slower', 1.01, 1.06], ['equivalent', 0.99, 1.02], 'reproduced', null],
  ['no effect', ['slower', 1.2, 1.4], ['equivalent', 0.99, 1.02], 'not-reproduced', /overlap/],
  ['apart', ['slower', 1.5, 1.6], ['inconclusive', 0.9, 1.2], 'not-reproduced', /do not overlap/],
  ['wide', ['slower', 1.5, 1.6], ['inconclusive', 0.9, 1.9], 'inconclusive', /^about 41 processes/],
  ['unsettled report', ['inconclusive', 0.5, 2], ['slower', 1.1, 1.2], 'inconclusive', /report is/],
  ['contradicted', ['inconclusive', 0.9, 1.1], ['slower', 1.4, 1.5], 'not-reproduced', /overlap/],
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

describe('a replay', () => {
  const difference = { part: 'processor', recorded: 'one', here: 'another' };

  test.each(
    /** @type {[string, Sketch, (typeof difference)[], ReplayAnswer][]} */ ([
      ['every cell is, on another host', ['slower', 1.5, 1.7], [difference], 'reproduced'],
      ['a cell is not, on another host', ['slower', 2, 2.2], [difference], 'environment-differs'],
      ['a cell is not, on the same host', ['slower', 2, 2.2], [], 'not-reproduced'],
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

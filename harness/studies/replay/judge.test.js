import { describe, expect, test } from '@jest/globals';
import { makeCell, makeEmptyCell, makeManifest } from '../../../reports/fixtures/build.js';
import { compareHosts, judgeReplay } from './judge.js';

/** @import { VerdictWord } from '../../formats/types.ts' */

/** @typedef {[verdict: VerdictWord, low: number, high: number]} Sketch */

const DIFFERENCE = { part: 'processor', recorded: 'one', here: 'another' };

/**
 * @param {Sketch} recorded
 * @param {Sketch | null} here null where the cell was not measured
 */
function judgeOne([recordedVerdict, low, high], here) {
  const place = { operation: 'serialize', corpus: 'flat' };
  const cells = [{ id: 'serialize flat', ...place }];
  const question = { ...makeManifest().question, cells };
  const ratio = { estimate: (low + high) / 2, low, high };
  const results = [{ cellId: 'serialize flat', verdict: recordedVerdict, ratio }];
  const measured =
    here === null
      ? makeEmptyCell('serialize', 'flat', 'inconclusive')
      : makeCell({
          ...place,
          verdict: here[0],
          ratio: [here[1], (here[1] + here[2]) / 2, here[2]],
          processesNeeded: 40.2,
        });
  return judgeReplay({ question, results }, { cells: [measured] }, []);
}

describe('the answer on a cell', () => {
  /** @type {[string, Sketch, Sketch | null, string, RegExp | null][]} */
  const cases = [
    ['same way, intervals meet', ['slower', 1.4, 1.6], ['slower', 1.5, 1.9], 'reproduced', null],
    [
      'same way, apart',
      ['slower', 1.4, 1.6],
      ['slower', 1.7, 1.9],
      'direction-only',
      /effect is larger/,
    ],
    [
      'same way, less',
      ['faster', 0.4, 0.5],
      ['faster', 0.6, 0.7],
      'direction-only',
      /effect is smaller/,
    ],
    [
      'the other way',
      ['slower', 1.01, 1.1],
      ['faster', 0.9, 0.99],
      'not-reproduced',
      /faster here/,
    ],
    ['both equivalent', ['equivalent', 0.98, 1], ['equivalent', 1.01, 1.02], 'reproduced', null],
    ['within, widened', ['slower', 1.01, 1.06], ['equivalent', 0.99, 1.02], 'reproduced', null],
    [
      'nothing any more',
      ['slower', 1.2, 1.4],
      ['equivalent', 0.99, 1.02],
      'not-reproduced',
      /do not overlap/,
    ],
    [
      'wide, but apart',
      ['slower', 1.5, 1.6],
      ['inconclusive', 0.9, 1.2],
      'not-reproduced',
      /do not overlap/,
    ],
    [
      'too wide',
      ['slower', 1.5, 1.6],
      ['inconclusive', 0.9, 1.9],
      'inconclusive',
      /^about 41 processes/,
    ],
    [
      'not settled before',
      ['inconclusive', 0.5, 2],
      ['slower', 1.1, 1.2],
      'inconclusive',
      /report is inconclusive/,
    ],
    [
      'contradicted',
      ['inconclusive', 0.9, 1.1],
      ['slower', 1.4, 1.5],
      'not-reproduced',
      /do not overlap/,
    ],
    ['not measured', ['slower', 1.5, 1.6], null, 'inconclusive', /no ratio/],
    ['untrusted here', ['slower', 1.5, 1.6], ['untrusted', 1.5, 1.6], 'inconclusive', /control/],
    [
      'untrusted there',
      ['untrusted', 1.5, 1.6],
      ['slower', 1.5, 1.6],
      'inconclusive',
      /in the report/,
    ],
    [
      'refused here',
      ['slower', 1.5, 1.6],
      ['refused', 1.5, 1.6],
      'not-reproduced',
      /correctness gate here$/,
    ],
    [
      'refused there',
      ['refused', 1.5, 1.6],
      ['slower', 1.5, 1.6],
      'not-reproduced',
      /arms pass the correctness gate/,
    ],
    ['refused in both', ['refused', 1.5, 1.6], ['refused', 1.5, 1.6], 'reproduced', /gate$/],
  ];

  test.each(cases)('%s', (_, recorded, here, answer, reason) => {
    const [cell] = judgeOne(recorded, here).cells;
    expect(cell?.answer).toBe(answer);
    if (reason === null) expect(cell?.reason).toBeNull();
    else expect(cell?.reason).toMatch(reason);
  });
});

describe('the answer on the whole', () => {
  const cells = ['flat', 'deep'].map((corpus) => ({
    id: `serialize ${corpus}`,
    operation: 'serialize',
    corpus,
  }));
  const question = { ...makeManifest().question, cells };
  const results = cells.map(({ id }) => ({
    cellId: id,
    verdict: /** @type {const} */ ('slower'),
    ratio: { estimate: 1.5, low: 1.4, high: 1.6 },
  }));

  /**
   * @param {[number, number, number]} deep
   * @param {typeof DIFFERENCE[]} differences
   */
  function answerTo(deep, differences) {
    const verdict = deep[0] > 1 ? 'slower' : 'inconclusive';
    const measured = [
      makeCell({
        operation: 'serialize',
        corpus: 'flat',
        verdict: 'slower',
        ratio: [1.4, 1.5, 1.6],
      }),
      makeCell({ operation: 'serialize', corpus: 'deep', verdict, ratio: deep }),
    ];
    return judgeReplay({ question, results }, { cells: measured }, differences).answer;
  }

  test('is reproduced when every cell is, whatever differs', () => {
    expect(answerTo([1.5, 1.6, 1.7], [DIFFERENCE])).toBe('reproduced');
  });

  test('blames the environment only where something is not reproduced and it differs', () => {
    expect(answerTo([2, 2.1, 2.2], [DIFFERENCE])).toBe('environment-differs');
    expect(answerTo([2, 2.1, 2.2], [])).toBe('not-reproduced');
  });

  test('is inconclusive when a cell is and none is missed', () => {
    expect(answerTo([0.8, 1.2, 1.8], [DIFFERENCE])).toBe('inconclusive');
  });
});

test('the Node that runs Assay does not count where that of the report measured', () => {
  const { environment } = makeManifest();
  const here = { environment: { ...environment, node: '24.1.0', v8: '13.6' } };
  const parts = (/** @type {boolean} */ isSameNode) =>
    compareHosts({ environment }, here, isSameNode).map(({ part }) => part);
  expect(parts(false)).toEqual(['Node', 'V8']);
  expect(parts(true)).toEqual([]);
});

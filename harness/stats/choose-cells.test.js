import { expect, test } from '@jest/globals';
import { makeCell, makeEmptyCell } from '../../reports/support/fixtures.js';
import { chooseLayoutCells } from './choose-cells.js';

/** @import { VerdictWord } from '../formats/types.ts' */

/**
 * @param {VerdictWord} verdict
 * @param {number} ratio
 */
function cell(verdict, ratio) {
  const corpus = `${verdict}-${ratio}`;
  return makeCell({ operation: 'serialize', corpus, verdict, ratio: [ratio, ratio, ratio] });
}

/** @param {Parameters<typeof chooseLayoutCells>[1]} cells */
function choose(cells, layouts = 4) {
  return chooseLayoutCells({ layouts, minimumEffect: 0.03 }, cells).map(
    (chosen) => chosen.cell.corpus,
  );
}

test('directions of up to three times the minimum effect are due, the smallest first', () => {
  const cells = [cell('faster', 0.93), cell('slower', 1.02), cell('slower', 1.2)];
  expect(choose(cells)).toEqual(['slower-1.02', 'faster-0.93']);
});

test('without a direction, those between one and three times are due after all directions', () => {
  const cells = [cell('inconclusive', 1.01), cell('inconclusive', 0.96), cell('faster', 0.92)];
  expect(choose(cells)).toEqual(['faster-0.92', 'inconclusive-0.96']);
});

test('nothing else is due', () => {
  const words = /** @type {const} */ (['equivalent', 'refused', 'untrusted']);
  expect(choose(words.map((word) => cell(word, 1.05)))).toEqual([]);
  expect(choose([makeEmptyCell('serialize', 'flat', 'inconclusive')])).toEqual([]);
  expect(choose([cell('faster', 0.95)], 0)).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { makeCell, makeEmptyCell, makeManifest, makeVerdict } from './fixtures.js';
import { groupRows } from './terminal-rows.js';

/** @import { CellComparison } from '../../harness/formats/types.ts' */

/**
 * @param {number} at
 * @param {string} corpus
 * @param {boolean} [isMeasured]
 * @returns {CellComparison}
 */
function makePoint(at, corpus, isMeasured = true) {
  const operation = `getters-${at}`;
  const comparison = isMeasured
    ? makeCell({ operation, corpus, verdict: 'faster', ratio: [0.8, 0.9, 0.95] })
    : makeEmptyCell(operation, corpus, 'refused');
  const series = { name: 'getters', label: 'getters read', at };
  return { ...comparison, cell: { ...comparison.cell, series } };
}

/** @param {CellComparison[]} cells */
function listLabels(cells) {
  const input = { manifest: makeManifest(), verdict: makeVerdict(cells), runPath: '' };
  const draw = { drawCell: () => [], drawSummary: () => [] };
  return groupRows(input, 80, draw).map((row) => ('heading' in row ? row.heading : row[0].text));
}

test('a cell is listed once, under its series, though it is no point of it', () => {
  const cells = [
    makePoint(10, 'urls'),
    makePoint(2, 'urls'),
    makePoint(2, 'adversarial', false),
    makePoint(10, 'adversarial'),
  ];
  expect(listLabels(cells)).toEqual([
    'getters read: getters-2 … getters-10',
    '  2 urls',
    '  2 adversarial',
    ' 10 urls',
    ' 10 adversarial',
  ]);
});

test('an operation that no series tells of has a heading of its own', () => {
  expect(listLabels([makePoint(2, 'urls'), makePoint(4, 'urls', false)])).toEqual([
    'getters-2',
    ' urls',
    'getters-4',
    ' urls',
  ]);
});

import { expect, test } from '@jest/globals';
import { displayWidth } from '../../harness/lib/display-width.js';
import { layOutTable, naturalWidth } from './table.js';

/** @import { TableColumn, TableEntry, TableRow } from '../types.ts' */

const columns = /** @type {TableColumn[]} */ ([
  { title: '', align: 'left', minWidth: 6 },
  { title: 'time', align: 'right', dropRank: 1 },
  { title: 'verdict', align: 'left' },
]);

/**
 * @param {...string} texts
 * @returns {TableEntry[]}
 */
function entries(...texts) {
  return texts.map((text) => ({ text, tone: 'plain' }));
}

/** @type {TableRow[]} */
const rows = [
  { heading: 'serialize' },
  entries('flat@deserialized', '35.2\u00a0µs', 'faster'),
  entries('直列化', '9 µs', 'equivalent'),
];

/** @param {string} text */
function leavePlain(text) {
  return text;
}

test('aligns by display width', () => {
  expect(layOutTable(columns, rows, 80, leavePlain)).toEqual([
    '                      time  verdict',
    'serialize',
    'flat@deserialized  35.2 µs  faster',
    '直列化                9 µs  equivalent',
  ]);
  expect(naturalWidth(columns, rows)).toBe(17 + 2 + 7 + 2 + 10);
});

test('narrows what may be narrowed before it leaves a column out', () => {
  expect(layOutTable(columns, rows, 30, leavePlain)[2]).toBe('flat…ized  35.2 µs  faster');
  expect(layOutTable(columns, rows, 20, leavePlain)[2]).toBe('fla…ed  faster');
});

test.each([5, 12, 18])('never takes more than %i columns', (width) => {
  for (const line of layOutTable(columns, rows, width, leavePlain)) {
    expect(displayWidth(line)).toBeLessThanOrEqual(width);
  }
});

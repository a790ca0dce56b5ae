/** The part of the terminal report on other code placements. */

/** @import { TableColumn } from '../types.ts' */
/** @import { Page } from './terminal-lists.js' */

import { LAYOUT_REMARK, listLayoutRows } from './layout-rows.js';
import { layOutTable } from './table.js';
import { plain } from './terminal-rows.js';
import { wrapText } from '../../harness/lib/wrap.js';

/** @type {TableColumn[]} */
const COLUMNS = [
  { title: '', align: 'left', minWidth: 12 },
  { title: 'ratio', align: 'right' },
  { title: 'interval', align: 'right', dropRank: 1 },
  { title: 'spread', align: 'right', dropRank: 2 },
  { title: 'layouts × processes', align: 'right', dropRank: 3 },
];

/**
 * A row for every cell that was measured in other layouts.
 *
 * @param {Page} page
 * @returns {string[]} none where there is no such cell
 */
export function layOutLayouts({ input: { verdict }, width, paint }) {
  const rows = listLayoutRows(verdict);
  if (rows.length === 0) return [];
  const entries = rows.map((row) =>
    [` ${row.cell}`, row.ratio, row.interval, row.spread, row.layouts].map(plain),
  );
  return [
    paint('The same code in other places', 'title'),
    ...layOutTable(COLUMNS, entries, width, paint),
    ...wrapText(LAYOUT_REMARK, width).map((line) => paint(line, 'quiet')),
  ];
}

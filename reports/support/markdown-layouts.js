/** The part of the Markdown report on other code placements. */

/** @import { Verdict } from '../../harness/formats/types.ts' */
/** @import { MarkdownColumn } from './markdown-table.js' */

import { codeSpan } from '../../harness/lib/escape.js';
import { LAYOUT_REMARK, listLayoutRows } from './layout-rows.js';
import { markdownTable } from './markdown-table.js';

/** @type {MarkdownColumn[]} */
const COLUMNS = [
  { title: 'the same code in other places', align: 'left' },
  { title: 'ratio', align: 'right' },
  { title: 'interval', align: 'right' },
  { title: 'spread', align: 'right' },
  { title: 'layouts × processes', align: 'right' },
];

/**
 * A row for every cell that was measured in other layouts.
 *
 * @param {Verdict} verdict
 * @returns {string} empty where there is no such cell
 */
export function layoutTable(verdict) {
  const rows = listLayoutRows(verdict);
  if (rows.length === 0) return '';
  const entries = rows.map((row) => [
    codeSpan(row.cell),
    row.ratio,
    row.interval,
    row.spread,
    row.layouts,
  ]);
  return `${markdownTable(COLUMNS, entries)}\n\n${LAYOUT_REMARK}`;
}

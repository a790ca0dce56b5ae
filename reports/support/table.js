/** Text tables laid out by display width, never wider than they may be. */

/** @import { TableColumn, TableEntry, TableRow, Tone } from '../types.ts' */

import { displayWidth, padToWidth, shortenMiddle } from '../../harness/lib/display-width.js';

const GAP = '  ';

/**
 * Lays a table out as lines of at most `width` columns. Where space is short, columns with a
 * `minWidth` are narrowed first, then columns with a `dropRank` are left out, then all are narrowed.
 * No-break spaces are printed as plain ones.
 *
 * @param {TableColumn[]} columns
 * @param {TableRow[]} rows
 * @param {number} width columns of the terminal
 * @param {(text: string, tone: Tone) => string} paint
 * @returns {string[]} the header, then a line a row
 */
export function layOutTable(columns, rows, width, paint) {
  const kept = fitColumns(columns, rows, width);
  const header = kept.map(({ column }) => ({
    text: column.title,
    tone: column.title ? 'quiet' : 'plain',
  }));
  const lines = [layOutLine(kept, /** @type {TableEntry[]} */ (header), paint)];
  for (const row of rows) {
    if ('heading' in row) {
      lines.push(paint(shortenMiddle(row.heading, width), 'title'));
    } else {
      const entries = kept.map(({ index }) => row[index] ?? { text: '', tone: 'plain' });
      lines.push(layOutLine(kept, /** @type {TableEntry[]} */ (entries), paint));
    }
  }
  return lines;
}

/**
 * Columns that the table would take if it had all the room it wants.
 *
 * @param {TableColumn[]} columns
 * @param {TableRow[]} rows
 * @returns {number}
 */
export function naturalWidth(columns, rows) {
  return totalWidth(columns.map((column, index) => ({ width: wantedWidth(column, index, rows) })));
}

/**
 * @typedef {{ column: TableColumn, index: number, width: number }} FittedColumn
 *
 * @param {TableColumn[]} columns
 * @param {TableRow[]} rows
 * @param {number} width
 * @returns {FittedColumn[]}
 */
function fitColumns(columns, rows, width) {
  let kept = columns.map((column, index) => ({
    column,
    index,
    width: wantedWidth(column, index, rows),
  }));
  narrowColumns(kept, width, (column) => column.minWidth);
  const droppable = kept.filter(({ column }) => column.dropRank !== undefined);
  droppable.sort((a, b) => (b.column.dropRank ?? 0) - (a.column.dropRank ?? 0));
  for (const victim of droppable) {
    if (totalWidth(kept) <= width) break;
    kept = kept.filter((column) => column !== victim);
  }
  narrowColumns(kept, width, () => 1);
  return kept;
}

/**
 * @param {TableColumn} column
 * @param {number} index
 * @param {TableRow[]} rows
 * @returns {number}
 */
function wantedWidth(column, index, rows) {
  let widest = displayWidth(column.title);
  for (const row of rows) {
    if (!('heading' in row)) widest = Math.max(widest, displayWidth(row[index]?.text ?? ''));
  }
  return widest;
}

/**
 * @param {{ width: number }[]} columns
 * @returns {number}
 */
function totalWidth(columns) {
  const gaps = Math.max(0, columns.length - 1) * GAP.length;
  return columns.reduce((sum, column) => sum + column.width, gaps);
}

/**
 * @param {FittedColumn[]} columns
 * @param {number} width
 * @param {(column: TableColumn) => number | undefined} floorOf
 */
function narrowColumns(columns, width, floorOf) {
  for (const fitted of columns) {
    const excess = totalWidth(columns) - width;
    const floor = floorOf(fitted.column);
    if (excess <= 0 || floor === undefined) continue;
    fitted.width = Math.max(Math.min(floor, fitted.width), fitted.width - excess);
  }
}

/**
 * @param {FittedColumn[]} columns
 * @param {TableEntry[]} entries
 * @param {(text: string, tone: Tone) => string} paint
 * @returns {string}
 */
function layOutLine(columns, entries, paint) {
  const pieces = columns.map(({ column, width }, position) => {
    const entry = entries[position] ?? { text: '', tone: /** @type {const} */ ('plain') };
    const text = shortenMiddle(entry.text.replaceAll('\u00a0', ' '), width);
    const isLast = position === columns.length - 1;
    const padded = isLast && column.align === 'left' ? text : padToWidth(text, width, column.align);
    return paint(padded, entry.tone);
  });
  return pieces.join(GAP).trimEnd();
}

/** The rows that both tables of the terminal report share. */

/** @import { CellComparison, OperationSummary } from '../../harness/types.ts' */
/** @import { RenderInput, TableColumn, TableEntry, TableRow } from '../types.ts' */

import { shortenMiddle } from './display-width.js';

const SMALLEST_LABEL_WIDTH = 12;

/**
 * A heading an operation, below it its cells and, from two cells, their geometric mean.
 *
 * @param {RenderInput} input
 * @param {number} width columns
 * @param {{ drawCell: (cell: CellComparison) => TableEntry[],
 *   drawSummary: (summary: OperationSummary) => TableEntry[] }} draw
 * @returns {TableRow[]}
 */
export function groupRows({ verdict }, width, draw) {
  const labelLimit = Math.max(20, Math.floor(width / 4));
  const operations = new Set(verdict.cells.map(({ cell }) => cell.operation));
  /** @type {TableRow[]} */
  const rows = [];
  for (const operation of operations) {
    rows.push({ heading: operation });
    for (const comparison of verdict.cells) {
      if (comparison.cell.operation !== operation) continue;
      const label = ` ${shortenMiddle(comparison.cell.corpus, labelLimit)}`;
      rows.push([plain(label), ...draw.drawCell(comparison)]);
    }
    const summary = verdict.summaries.find((one) => one.operation === operation);
    if (summary !== undefined && summary.cellCount > 1) {
      rows.push([plain(` geomean of ${summary.cellCount}`), ...draw.drawSummary(summary)]);
    }
  }
  return rows;
}

/**
 * The first column; it says so when all figures are from screen mode.
 *
 * @param {RenderInput} input
 * @returns {TableColumn}
 */
export function labelColumn({ manifest }) {
  const title = manifest.question.mode === 'screen' ? 'screen mode' : '';
  return { title, align: 'left', minWidth: SMALLEST_LABEL_WIDTH };
}

/**
 * An entry without a meaning of its own.
 *
 * @param {string} text
 * @returns {TableEntry}
 */
export function plain(text) {
  return { text, tone: 'plain' };
}

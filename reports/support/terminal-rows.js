/** The rows that both tables of the terminal report share. */

/** @import { CellComparison, OperationSummary, Verdict } from '../../harness/formats/types.ts' */
/** @import { RenderInput, TableColumn, TableEntry, TableRow } from '../types.ts' */

import { displayWidth, padToWidth, shortenMiddle } from '../../harness/lib/display-width.js';
import { hasNodeColumn, nodeOf } from './runtime-matrix.js';
import { findSeries, placeInSeries } from './series.js';

const SMALLEST_LABEL_WIDTH = 12;
/** Of `22.11.0`, and a space. */
const VERSION_WIDTH = 8;

/**
 * A heading an operation, below it its cells and, from two cells, their geometric mean. Operations
 * of one series have one heading, and their rows begin with the number that they differ in.
 *
 * @param {RenderInput} input
 * @param {number} width columns
 * @param {{ drawCell: (cell: CellComparison) => TableEntry[],
 *   drawSummary: (summary: OperationSummary) => TableEntry[] }} draw
 * @returns {TableRow[]}
 */
export function groupRows(input, width, draw) {
  const { verdict } = input;
  const label = makeLabels(input, Math.max(20, Math.floor(width / 4)));
  /** @type {TableRow[]} */
  const rows = [];
  for (const { heading, operations } of groupOperations(verdict)) {
    rows.push({ heading });
    for (const { operation, number } of operations) {
      for (const comparison of verdict.cells) {
        if (comparison.cell.operation !== operation) continue;
        rows.push([plain(` ${number}${label.cell(comparison)}`), ...draw.drawCell(comparison)]);
      }
      for (const summary of verdict.summaries) {
        if (summary.operation !== operation || summary.cellCount < 2) continue;
        rows.push([plain(` ${number}${label.summary(summary)}`), ...draw.drawSummary(summary)]);
      }
    }
  }
  return rows;
}

/**
 * Operations under one heading; `number` is what a row of one begins with, as wide in all of them.
 *
 * @typedef {object} OperationGroup
 * @property {string} heading
 * @property {{ operation: string, number: string }[]} operations
 */

/**
 * @param {Verdict} verdict
 * @returns {OperationGroup[]} in the order of the cells; operations of a series by their number
 */
function groupOperations(verdict) {
  const all = findSeries(verdict);
  /** @type {Map<string, { label: string | null, at: Map<string, number> }>} */
  const groups = new Map();
  for (const { cell } of verdict.cells) {
    const place = placeInSeries(all, cell);
    const key = place === null ? `operation ${cell.operation}` : `series ${place.name}`;
    const group = groups.get(key) ?? { label: place?.label ?? null, at: new Map() };
    group.at.set(cell.operation, place?.at ?? 0);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ label, at }) => {
    const sorted = [...at].sort(([, a], [, b]) => a - b);
    const [[first], [last]] = [sorted[0], sorted[sorted.length - 1]];
    if (label === null) return { heading: first, operations: [{ operation: first, number: '' }] };
    const digits = Math.max(...sorted.map(([, number]) => String(number).length));
    const operations = sorted.map(([operation, number]) => ({
      operation,
      number: `${String(number).padStart(digits)} `,
    }));
    return { heading: `${label}: ${first} … ${last}`, operations };
  });
}

/**
 * Names the rows: by corpus and, where versions of Node were given, by version, one below the other.
 *
 * @param {RenderInput} input
 * @param {number} limit columns for a corpus
 * @returns {{ cell: (comparison: CellComparison) => string,
 *   summary: (summary: OperationSummary) => string }}
 */
function makeLabels({ manifest, verdict }, limit) {
  const nameOf = (/** @type {CellComparison} */ { cell }) => shortenMiddle(cell.corpus, limit);
  if (!hasNodeColumn(verdict)) {
    return { cell: nameOf, summary: ({ cellCount }) => `geomean of ${cellCount}` };
  }
  const hasMeans = verdict.summaries.some(({ cellCount }) => cellCount > 1);
  const names = [...verdict.cells.map(nameOf), ...(hasMeans ? ['geomean'] : [])];
  const longest = Math.max(...names.map(displayWidth));
  const underNode = (/** @type {string} */ name, /** @type {{ node?: string }} */ place) =>
    `${padToWidth(name, longest, 'left')} ${nodeOf(place, manifest.environment)}`;
  return {
    cell: (comparison) => underNode(nameOf(comparison), comparison.cell),
    summary: (summary) => underNode('geomean', summary),
  };
}

/**
 * The first column; it says so when all figures are from screen mode.
 *
 * @param {RenderInput} input
 * @returns {TableColumn}
 */
export function labelColumn({ manifest, verdict }) {
  const title = manifest.question.mode === 'screen' ? 'screen mode' : '';
  const minWidth = SMALLEST_LABEL_WIDTH + (hasNodeColumn(verdict) ? VERSION_WIDTH : 0);
  return { title, align: 'left', minWidth };
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

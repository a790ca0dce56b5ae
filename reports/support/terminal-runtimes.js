/** The table of ratios by version of Node in the terminal report. */

/** @import { CellComparison } from '../../harness/formats/types.ts' */
/** @import { RenderInput, TableColumn, TableEntry, TableRow } from '../types.ts' */
/** @import { Paint } from './terminal-tables.js' */

import { shortenMiddle } from '../../harness/lib/display-width.js';
import { formatInterval, formatRatio, NO_FIGURE } from '../../harness/lib/numbers.js';
import { arrangeByNode, MATRIX_REMARK } from './runtime-matrix.js';
import { layOutTable, naturalWidth } from './table.js';
import { plain } from './terminal-rows.js';
import { toneOf, VERDICT_SIGNS } from './verdict-words.js';
import { wrapText } from '../../harness/lib/wrap.js';

const LARGEST_LABEL_WIDTH = 15;

/**
 * A heading an operation, a row a corpus, a column a version: sign of the verdict, ratio and
 * interval, the interval only where all columns have room for it.
 *
 * @param {RenderInput} input
 * @param {number} width columns
 * @param {Paint} paint
 * @returns {string[]} none for a run under one version
 */
export function layOutRuntimes(input, width, paint) {
  const matrix = arrangeByNode(input.manifest, input.verdict);
  if (matrix === null) return [];
  /** @type {TableColumn[]} */
  const columns = [
    { title: input.manifest.question.mode === 'screen' ? 'screen mode' : '', align: 'left' },
    ...matrix.versions.map((title) => ({ title, align: /** @type {const} */ ('left') })),
  ];
  const wide = groupByOperation(matrix.rows, drawWide);
  const rows =
    naturalWidth(columns, wide) <= width ? wide : groupByOperation(matrix.rows, drawNarrow);
  const words = new Set(input.verdict.cells.map(({ verdict }) => verdict));
  const signs = [...words].map((word) => `${VERDICT_SIGNS[word]} ${word}`).join(', ');
  const title = `By version of Node: ${MATRIX_REMARK}. ${signs}.`;
  return [
    ...wrapText(title, width).map((line) => paint(line, 'quiet')),
    ...layOutTable(columns, rows, width, paint),
  ];
}

/**
 * @param {import('./runtime-matrix.js').MatrixRow[]} matrixRows
 * @param {(comparison: CellComparison) => string} draw
 * @returns {TableRow[]}
 */
function groupByOperation(matrixRows, draw) {
  const operations = new Set(matrixRows.map(({ operation }) => operation));
  return [...operations].flatMap((heading) => [
    { heading },
    ...matrixRows
      .filter(({ operation }) => operation === heading)
      .map(({ corpus, entries }) => [
        plain(` ${shortenMiddle(corpus, LARGEST_LABEL_WIDTH)}`),
        ...entries.map((comparison) => drawEntry(comparison, draw)),
      ]),
  ]);
}

/**
 * @param {CellComparison | null} comparison
 * @param {(comparison: CellComparison) => string} draw
 * @returns {TableEntry}
 */
function drawEntry(comparison, draw) {
  if (comparison === null) return plain(NO_FIGURE);
  return { text: draw(comparison), tone: toneOf(comparison) };
}

/** @param {CellComparison} comparison */
function drawNarrow({ verdict, effect }) {
  return `${VERDICT_SIGNS[verdict]} ${formatRatio(effect?.ratio.estimate)}`;
}

/** @param {CellComparison} comparison */
function drawWide(comparison) {
  const { effect } = comparison;
  return effect === null
    ? drawNarrow(comparison)
    : `${drawNarrow(comparison)} ${formatInterval(effect.ratio)}`;
}

/** What other code placements of both sides make of cells, as rows of words for every renderer. */

/** @import { LayoutComparison, Verdict } from '../../harness/formats/types.ts' */

import { formatInterval, formatRatio, formatShare } from '../../harness/lib/numbers.js';

/** What the rows are, for a reader who meets them for the first time. */
export const LAYOUT_REMARK =
  'Layouts are copies of a side with edits that change where its code lies and nothing else. The interval counts each as one draw; the spread is the standard deviation between copies of the same code.';

/**
 * @typedef {object} LayoutRow
 * @property {string} cell its id
 * @property {string} ratio
 * @property {string} interval
 * @property {string} spread
 * @property {string} layouts a side, and processes of each
 */

/**
 * @param {Verdict} verdict
 * @returns {LayoutRow[]} one for every cell that was measured in other layouts
 */
export function listLayoutRows({ cells }) {
  return cells.flatMap(({ cell, layout }) =>
    layout === undefined ? [] : { cell: cell.id, ...describeLayout(layout) },
  );
}

/**
 * @param {LayoutComparison} layout
 * @returns {Omit<LayoutRow, 'cell'>}
 */
export function describeLayout({ ratio, spread, layouts, processes }) {
  return {
    ratio: formatRatio(ratio.estimate),
    interval: formatInterval(ratio),
    spread: formatShare(spread),
    layouts: `${layouts} × ${processes}`,
  };
}

import { countOf } from '../lib/numbers.js';
import { formatShare } from './format-share.js';

/** @import { CellComparison, LayoutComparison } from '../formats/types.ts' */

/**
 * A note on the cells for which something holds; null for the others.
 *
 * @typedef {object} LayoutNote
 * @property {string} kind
 * @property {(judged: JudgedCell) => string | null} look
 * @property {(places: string) => string} tell
 */

/**
 * @typedef {object} JudgedCell
 * @property {CellComparison} before by the times alone
 * @property {CellComparison} after
 * @property {string | null} missing why a cell that is due has no layouts
 * @property {string[]} dropped layouts that do not count, and why
 */

/**
 * What there is to say of cells that are due for other layouts, in the order of the report.
 *
 * @type {LayoutNote[]}
 */
export const LAYOUT_NOTES = [
  {
    kind: 'layout',
    look: ({ before, after: { verdict, layout } }) =>
      layout !== undefined && isDirection(before) && verdict === 'inconclusive'
        ? `${before.verdict} as it is, ${tellLayouts(layout)}`
        : null,
    tell: (places) =>
      `Other placements of the same code do not show the difference: ${places}. The interval that counts a placement as one draw includes 1, so nothing is claimed.`,
  },
  {
    kind: 'layout-holds',
    look: ({ after }) =>
      after.layout !== undefined && isDirection(after) ? tellLayouts(after.layout) : null,
    tell: (places) => `The verdict holds in other placements of the same code: ${places}.`,
  },
  {
    kind: 'layout-dropped',
    look: ({ dropped }) => (dropped.length === 0 ? null : dropped.join('; ')),
    tell: (places) => `Layouts that do not count: ${places}.`,
  },
  {
    kind: 'no-layout',
    look: ({ missing }) => missing,
    tell: (places) =>
      `Small enough for code placement to matter, and not measured in other layouts: ${places}.`,
  },
];

/**
 * @param {Pick<CellComparison, 'verdict'>} comparison
 * @returns {boolean} whether it says that a side is faster
 */
export function isDirection({ verdict }) {
  return verdict === 'faster' || verdict === 'slower';
}

/** @param {LayoutComparison} layout */
function tellLayouts({ layouts, ratio, spread }) {
  const [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map((x) => x.toFixed(3));
  return `×${estimate} [${low}, ${high}] over ${countOf(layouts, 'layout')} a side, which differ by ${formatShare(spread)}`;
}

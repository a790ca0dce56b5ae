/** What other placements of the same code make of the ratios. */

/** @import { PlacementComparison, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Section } from '../../document/model.ts' */

import { formatInterval, formatRatio, formatShare } from '../../../harness/lib/numbers.js';

/**
 * @param {Verdict} verdict
 * @returns {Section} with a row for every cell that was measured in other placements
 */
export function makePlacementSection({ cells }) {
  return {
    id: 'placement',
    title: 'Other placements of the same code',
    rank: 3,
    blocks: [
      {
        kind: 'table',
        caption: 'Copies of each arm whose code is elsewhere in memory.',
        label: 'Ratios in other placements',
        columns: [
          { title: 'cell', kind: 'name' },
          { title: 'ratio', align: 'right' },
          { title: 'interval', align: 'right' },
          { title: 'spread', align: 'right' },
          { title: 'placements × processes', align: 'right' },
        ],
        rows: cells.flatMap(({ cell, placement }) => {
          if (placement === undefined) return [];
          const { ratio, interval, spread, placements } = describePlacement(placement);
          return [[{ code: cell.id }, ratio, interval, spread, placements]];
        }),
        legend:
          'The interval counts each placement as one sample. Spread: the standard deviation between placements of the same code.',
      },
    ],
  };
}

/**
 * @param {PlacementComparison} placement
 * @returns {{ ratio: string, interval: string, spread: string, placements: string }} placements of
 *   each arm, and processes of each
 */
export function describePlacement({ ratio, spread, placements, processes }) {
  return {
    ratio: formatRatio(ratio.estimate),
    interval: formatInterval(ratio),
    spread: formatShare(spread),
    placements: `${placements} × ${processes}`,
  };
}

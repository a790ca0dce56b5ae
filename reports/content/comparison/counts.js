/** How many processes, figures and pairs a cell rests on, in the same words everywhere. */

/** @import { Arm, CellComparison, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Cell, Column } from '../../document/model.ts' */

import { countOf, isFigure, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { sumOf } from '../../../harness/stats/means.js';

/** @type {(comparison: Pick<CellComparison, 'processes'>) => boolean} whether any process was started for the cell */
export function isMeasured({ processes }) {
  return sumOf(Object.values(processes)) > 0;
}

/** @type {(counts: Record<Arm, number>) => string} per variant: `32`, or `31/32` (baseline with control, candidate) */
function countLabel({ baseline, candidate, control }) {
  const pooled = baseline + control;
  if (pooled + candidate === 0) return NO_FIGURE;
  return pooled === candidate ? String(candidate) : `${pooled}/${candidate}`;
}

/** @type {(comparison: CellComparison) => boolean} whether each process that was started gave a figure */
function isComplete({ processes, figures }) {
  return countLabel(processes) === countLabel(figures);
}

/**
 * What a cell rests on: processes, and figures and pairs where these are not all that the processes could give.
 * @type {(comparison: CellComparison) => string} `32 processes per variant, 28/30 figures, 24 pairs`
 */
export function countsLabel(comparison) {
  const { figures, pairs } = comparison;
  return [
    `${processesLabel(comparison)} processes per variant`,
    ...(isComplete(comparison) ? [] : [`${countLabel(figures)} figures`]),
    ...(pairs === undefined ? [] : [countOf(pairs, 'pair')]),
  ].join(', ');
}

/**
 * The columns of a table of cells for what its figures rest on, and what they mean. A column that says nothing more than
 * the one before it is left out.
 *
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {{ columns: (Column & { draw: (comparison: CellComparison) => Cell })[], legend: string }}
 */
export function countColumns({ cells }) {
  const hasLost = !cells.every(isComplete);
  const hasPairs = cells.some(({ pairs }) => pairs !== undefined);
  const isUneven = cells.some(({ processes, figures }) =>
    [processes, figures].some((counts) => countLabel(counts).includes('/')),
  );
  const isOpen = cells.some(({ verdict }) => verdict === 'inconclusive');
  /** @type {(false | { title: string, hint: string, draw: (comparison: CellComparison) => Cell })[]} */
  const columns = [
    { title: 'processes', hint: 'Started, per variant', draw: processesLabel },
    hasLost && {
      title: 'figures',
      hint: 'Processes that gave a usable figure, per variant',
      draw: ({ figures }) => countLabel(figures),
    },
    hasPairs && {
      title: 'pairs',
      hint: 'Complete pairs, which the ratio is the mean of',
      draw: ({ pairs }) => (pairs === undefined ? NO_FIGURE : String(pairs)),
    },
  ];
  const arms = isUneven ? ' (baseline with control/candidate where they differ)' : '';
  const needed = isOpen ? '; of an inconclusive cell also about how many would settle it' : '';
  return {
    columns: columns
      .filter((column) => column !== false)
      .map((column) => ({ align: 'right', ...column })),
    legend: [
      `Processes: started, per variant${arms}${needed}.`,
      ...(hasLost
        ? [
            'Figures: those that gave a usable one, which a process that failed or was disturbed throughout does not; the times rest on them.',
          ]
        : []),
      ...(hasPairs
        ? [
            'Pairs: candidate and baseline that ran at the same time and both gave a figure; the ratio is their mean, and not the quotient of the two times.',
          ]
        : []),
    ].join(' '),
  };
}

/**
 * Processes per variant, and for an inconclusive cell how many would settle it.
 * @type {(comparison: CellComparison) => string} `32`, `31/32` (baseline with control, candidate), `128 of ~210`
 */
export function processesLabel(comparison) {
  const seen = countLabel(comparison.processes);
  if (seen === NO_FIGURE) return seen;
  if (comparison.verdict !== 'inconclusive') return seen;
  return isFigure(comparison.processesNeeded)
    ? `${seen} of ~${Math.ceil(comparison.processesNeeded)}`
    : // Where other placements made it so, more processes would not change it.
      `${seen}${comparison.placement === undefined ? ' of ?' : ''}`;
}

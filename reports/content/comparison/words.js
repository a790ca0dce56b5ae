/** How all sections of a comparison name a verdict and what it rests on. */

/** @import { CellComparison, Manifest, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Span } from '../../document/model.ts' */

import { countOf, isFigure, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { VERDICTS } from '../../../harness/stats/verdicts.js';

/**
 * @param {Verdict} verdict
 * @returns {boolean} whether any cell has a ratio
 */
export function hasRatios({ cells }) {
  return cells.some(({ effect }) => isFigure(effect?.ratio?.estimate));
}

/**
 * The verdict of a cell as tables print it.
 *
 * @param {CellComparison} comparison
 * @param {Manifest['question']['mode']} mode
 * @returns {string} `faster, strong`; in screen mode `screen: faster, strong`
 */
export function verdictLabel({ verdict, strong, effect }, mode) {
  const isEmpty = verdict === 'inconclusive' && effect === null;
  const words = `${verdict}${strong ? ', strong' : ''}${isEmpty ? ', no data' : ''}`;
  return mode === 'screen' ? `screen: ${words}` : words;
}

/**
 * @param {CellComparison} comparison
 * @param {Manifest['question']['mode']} mode
 * @returns {Span}
 */
export function verdictBadge(comparison, mode) {
  const { verdict } = comparison;
  const { sign, tone } = VERDICTS[verdict] ?? { sign: '', tone: 'plain' };
  return { badge: { sign, tone, text: verdictLabel(comparison, mode) } };
}

/**
 * Processes of each arm, and for an inconclusive cell how many would settle it.
 *
 * @param {CellComparison} comparison
 * @returns {string} `24`, `24/24/23` (baseline, candidate, control), `96 of ~210`
 */
export function processesLabel(comparison) {
  const { baseline, candidate, control } = comparison.processes;
  if (baseline + candidate + control === 0) return NO_FIGURE;
  const isEven = baseline === candidate && candidate === control;
  const seen = isEven ? String(baseline) : `${baseline}/${candidate}/${control}`;
  if (comparison.verdict !== 'inconclusive') return seen;
  return isFigure(comparison.processesNeeded)
    ? `${seen} of ~${Math.ceil(comparison.processesNeeded)}`
    : // Where other placements made it so, more processes would not change it.
      `${seen}${comparison.placement === undefined ? ' of ?' : ''}`;
}

/**
 * @param {Manifest['question']} question
 * @returns {string | null} which part of a plan the run is: `part 1 of 3 (2 of 6 cells)`
 */
export function partLabel({ cells, shard }) {
  if (shard === undefined) return null;
  return `part ${shard.index} of ${shard.count} (${cells.length} of ${countOf(shard.cells.length, 'cell')})`;
}

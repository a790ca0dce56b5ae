import { ofAwaitedCalls } from './figures/awaited.js';
import { ofFirstCalls } from './figures/cold.js';
import { ofOperation } from './figures/own.js';
import { WARM } from './figures/warm.js';

/** @import { Cell, MeasureSettings } from '../formats/types.ts' */

/**
 * What a process contributes. Each kind has a file in `figures/`.
 *
 * @typedef {object} Figure
 * @property {'warm' | 'awaited' | 'own' | 'cold'} kind
 * @property {string | null} quantity what the nanoseconds are, if not time per document
 * @property {string} calls which first calls are timed: `start`, `10`; empty if processes warm up
 * @property {Pick<Cell, 'cold' | 'concurrency'>} fields fields that jobs and means of this kind have in addition to those of warm code
 * @property {string[]} idSuffix words at the end of the identity of a cell
 * @property {string[]} nodeFlags flags of Node that its processes need
 * @property {(settings: MeasureSettings) => number} countBatches number of batches that a report must have
 * @property {boolean} canPair whether a job gives the same figure beside another job as alone
 * @property {boolean} hasUsualSpread whether its spread can be compared with the usual one, which is that of warm code
 * @property {boolean} isElapsedTime whether it includes waiting for a processor
 * @property {boolean} hasResources whether a report also compares the other resources that a call takes
 * @property {string} leavesOut what it would include if slower batches counted: the beginning of a note
 */

/**
 * @param {Partial<Pick<Cell, 'figure' | 'sharesCore' | 'concurrency' | 'cold'>> | undefined} cell a cell, or the job or the mean of one
 * @returns {Figure}
 */
export function figureOf({ figure, sharesCore = false, concurrency, cold } = {}) {
  const loop = concurrency === undefined ? WARM : ofAwaitedCalls(concurrency);
  const warm = figure === undefined ? loop : ofOperation(figure, sharesCore);
  return cold === undefined ? warm : ofFirstCalls(cold, warm);
}

/**
 * @param {{ cells: readonly Cell[] }} question
 * @returns {Figure} that of the first cell: in one question either all cells time first calls or none does
 */
export function commonFigure({ cells }) {
  return figureOf(cells[0]);
}

import { ofFirstCalls } from './figures/cold.js';
import { ofOperation } from './figures/own.js';
import { WARM } from './figures/warm.js';

/** @import { Cell, MeasureSettings } from '../formats/types.ts' */

/**
 * What a process contributes. Each kind has a file in `figures/`.
 *
 * @typedef {object} Figure
 * @property {'warm' | 'own' | 'cold'} kind
 * @property {string | null} quantity what the nanoseconds are, if not time per document
 * @property {string} calls which first calls are timed: `start`, `10`; empty if processes warm up
 * @property {Pick<Cell, 'cold'>} fields what its jobs and its means have besides those of a warm cell
 * @property {string[]} idSuffix words at the end of the identity of a cell
 * @property {string[]} nodeFlags what its processes need of Node
 * @property {(settings: MeasureSettings) => number} countBatches that a report must have
 * @property {boolean} canPair whether two jobs at the same time give what each gives alone
 * @property {boolean} hasUsualSpread whether its spread can be compared with the usual one, which is that of warm code
 * @property {boolean} isElapsedTime whether waiting for a processor is part of it
 * @property {boolean} hasResources whether a report compares what a call takes besides it
 * @property {string} leavesOut what would be part of it if its slower batches counted
 */

/**
 * @param {Partial<Pick<Cell, 'figure' | 'sharesCore' | 'cold'>> | undefined} cell or the job or the mean of one
 * @returns {Figure}
 */
export function figureOf({ figure, sharesCore = false, cold } = {}) {
  const warm = figure === undefined ? WARM : ofOperation(figure, sharesCore);
  return cold === undefined ? warm : ofFirstCalls(cold, warm);
}

/**
 * @param {{ cells: readonly Cell[] }} question
 * @returns {Figure} of its first cell; either all cells are of first calls, or none
 */
export function commonFigure({ cells }) {
  return figureOf(cells[0]);
}

/** @import { Question } from '../formats/types.ts' */

/** Of the budget, what the times may take before memory is measured. */
const TIMES_SHARE = 1 / 2;
/** Why measuring ended early, the most important reason first. */
const EARLY_ENDS = /** @type {const} */ (['interrupted', 'failed', 'budget']);

/** @typedef {'complete' | 'budget' | 'interrupted' | 'failed'} MeasuringEnd */

/**
 * Measures times and memory within one budget. With both, the times come first and may take half of
 * the budget; memory has the rest, and what memory leaves goes to times that are not settled.
 *
 * @param {object} measuring
 * @param {Question['memory']} measuring.memory
 * @param {number} measuring.budgetMs of the session; Infinity for no limit
 * @param {(untilMs: number) => Promise<MeasuringEnd>} measuring.measureTimes until so long after the
 *   session began; goes on where it ended when it is called again
 * @param {(untilMs: number) => Promise<MeasuringEnd>} measuring.measureMemory likewise
 * @returns {Promise<MeasuringEnd>}
 */
export async function measureInTurn({ memory, budgetMs, measureTimes, measureMemory }) {
  if (memory === 'only') return measureMemory(budgetMs);
  if (memory === 'none') return measureTimes(budgetMs);
  let timesEnded = await measureTimes(budgetMs * TIMES_SHARE);
  if (timesEnded === 'interrupted') return 'interrupted';
  const memoryEnded = await measureMemory(budgetMs);
  if (memoryEnded !== 'interrupted' && timesEnded === 'budget') {
    timesEnded = await measureTimes(budgetMs);
  }
  return EARLY_ENDS.find((end) => end === timesEnded || end === memoryEnded) ?? 'complete';
}

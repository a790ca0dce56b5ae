/** From a change point of a trend: the command that continues. */

import { withoutPin } from '../lib/words.js';
import { formatQuestion } from './invocation.js';
import { BISECT } from './commands/bisect.js';
import { COMPARE } from './commands/compare.js';

/** @import { SeriesChange, Trend } from '../formats/types.ts' */

/** How the trend measured does not matter for what follows. */
const EXCEPT = ['seed', 'processes', 'placements', 'explain', 'budget', 'schedule'];

/**
 * @param {Pick<Trend, 'question'>} trend
 * @param {string} cellId
 * @param {SeriesChange} change
 * @returns {string} a comparison of the two neighbours, which explains the difference; a bisection where something in
 *   between became slower and was not measured
 */
export function formatContinuation({ question }, cellId, { before, after, step, unmeasured }) {
  const cells = question.cells.filter(({ id }) => id === cellId);
  const asked = { ...question, cells };
  const [{ operation, corpus }] = cells;
  const canBisect = /^(?:npm|git):/.test(before) && withoutPin(before) !== withoutPin(after);
  if (canBisect && unmeasured > 0 && step.estimate > 1) {
    const args = [before, after, operation, corpus];
    return formatQuestion(BISECT, asked, { args, except: EXCEPT });
  }
  return formatQuestion(COMPARE, asked, { args: [before, after], except: EXCEPT });
}

import { askStep } from '../trend/question.js';
import { USUAL_PROCESSES } from '../trend/series.js';
import { specOf } from './commits.js';

/** @import { Question } from '../../formats/types.ts' */
/** @import { FollowState, FollowStepTask } from './follow.js' */

const DIFFERING = /** @type {const} */ ('differing');

/**
 * The question of one comparison: that of a step of a trend.
 *
 * @param {FollowStepTask} task
 * @param {Pick<FollowState, 'reference'>} state
 * @param {{ question: Question, directory: string }} context `question`: of all cells; `directory`: of the checkout, as typed
 * @returns {Question}
 */
export function askTask({ purpose, before, after, level, rule, ...task }, { reference }, context) {
  const { directory } = context;
  const processes = Math.min(USUAL_PROCESSES, ...context.question.looks.slice(-1));
  const question = {
    ...context.question,
    // Its verdict is the answer, at the level that was fixed before; who is told of it asks why.
    ...(level === undefined ? {} : { alpha: level, placesAll: true, explain: DIFFERING }),
    ...(rule === undefined ? {} : { ...rule, placements: 0 }),
  };
  return askStep(
    { question, processes },
    {
      ...task,
      purpose: purpose === 'point' ? 'first' : 'neighbours',
      baseline: before === null ? reference : specOf(directory, before),
      candidates: [specOf(directory, after)],
    },
  );
}

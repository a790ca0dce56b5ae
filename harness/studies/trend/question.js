import { withCandidates } from '../../stats/plan.js';

/** @import { Question, Trend } from '../../formats/types.ts' */
/** @import { TrendTask } from './series.js' */

/**
 * The question of one step. A point is measured with a fixed number of processes, because its precision matters and not
 * whether it differs from the baseline. Neighbours are compared until their difference is settled, in other placements of
 * their code, too.
 *
 * @param {Pick<Trend, 'question' | 'processes'>} trend
 * @param {TrendTask & { seed: number, budgetSeconds: number | null }} task
 * @returns {Question}
 */
export function askStep({ question, processes }, task) {
  const { purpose, baseline, candidates, cellIds, seed, budgetSeconds } = task;
  const { earlyLook, ...common } = question;
  const cells = question.cells.filter(({ id }) => cellIds.includes(id));
  const isDirect = purpose === 'neighbours';
  return {
    ...common,
    ...(isDirect && earlyLook !== undefined ? { earlyLook } : {}),
    looks: isDirect ? question.looks : [processes],
    ...(isDirect ? {} : { placements: 0 }),
    baseline,
    candidates,
    cells: withCandidates(cells, candidates),
    seed,
    budgetSeconds,
  };
}

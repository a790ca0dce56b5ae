import { omitUndefined } from '../../lib/records.js';
import { sumOf } from '../../stats/means.js';
import { countAttempts, describeAllSeries, planNext } from './series.js';

/** @import { Trend, TrendResult, TrendStep } from '../../formats/types.ts' */
/** @import { Study } from '../study.js' */
/** @import { TrendTask } from './series.js' */

/**
 * What a comparison gave.
 *
 * @typedef {object} TrendOutcome
 * @property {TrendResult[]} results
 * @property {TrendStep['breaches']} [breaches]
 * @property {Trend['skipped']} skipped candidates that cannot be measured
 * @property {string | null} runId
 * @property {'complete' | 'budget' | 'interrupted'} ended
 * @property {number} seconds that it took in all sessions, without fetching and building
 * @property {number} sessionSeconds in this session
 */

/** @typedef {TrendTask & { seed: number, budgetSeconds: number | null }} TrendStepTask */

/** A comparison is started only if this share of what it probably takes is left of the budget. */
const MIN_SHARE = 1 / 2;
/** Why a point is skipped that can be measured, but was disturbed too much. */
const SILENT = 'too few of its processes gave a usable figure';

/**
 * The study that measures what is needed until nothing more is, or the budget ends.
 *
 * @param {(task: TrendStepTask, trend: Trend, path: string) => Promise<TrendOutcome>} compare in the directory of the
 *   trend; throws where the baseline cannot be measured
 * @param {(trend: Trend) => number} findBudget seconds that the comparisons of this session may take together
 * @returns {Study<Trend, TrendStepTask, TrendOutcome>}
 */
export function makeTrendStudy(compare, findBudget) {
  return {
    next(trend, { results }) {
      const complete = listComplete(trend);
      const task = planNext({ ...trend, steps: complete });
      if (task === null || results.at(-1)?.ended === 'budget') return null;
      const left = findBudget(trend) - sumOf(results.map(({ sessionSeconds }) => sessionSeconds));
      if (left <= MIN_SHARE * expectSeconds(task, complete)) return null;
      return {
        ...task,
        // Another order of jobs in every step, derived from the seed of the trend.
        seed: (trend.question.seed + complete.length + trend.skipped.length) % 2 ** 32,
        budgetSeconds: left === Infinity ? null : Math.ceil(left),
      };
    },
    measure: (task, trend, { path }) => compare(task, trend, path),
    absorb(trend, { task, result }) {
      const complete = listComplete(trend);
      // What was refused was not measured; an attempt counts, whatever it gave.
      const isRefused = result.results.length === 0 && result.skipped.length > 0;
      const steps = isRefused ? complete : [...complete, makeStep(task, result)];
      const known = update(trend, { steps, skipped: [...trend.skipped, ...result.skipped] });
      const silent = isRefused ? [] : listSilent(known, task);
      return silent.length === 0
        ? known
        : update(known, { skipped: [...known.skipped, ...silent] });
    },
    conclude(trend, { isInterrupted }) {
      const isDone = planNext({ ...trend, steps: listComplete(trend) }) === null;
      return { ...trend, ended: isDone ? 'complete' : isInterrupted() ? 'interrupted' : 'budget' };
    },
  };
}

/** @type {(task: TrendStepTask, outcome: TrendOutcome) => TrendStep} */
export function makeStep({ purpose, baseline, candidates, cellIds }, outcome) {
  const { results, runId, ended, seconds, breaches } = outcome;
  return {
    ...{ purpose, baseline, candidates, cellIds, seconds, runId },
    ...{ isStored: false, isComplete: ended === 'complete', results },
    ...omitUndefined({ breaches }),
  };
}

/**
 * A step that was not measured to its end is planned again, and its run resumed. Until then the trend keeps it.
 *
 * @type {(trend: Trend) => TrendStep[]} steps that were measured to their end
 */
function listComplete({ steps }) {
  return steps.filter(({ isComplete }) => isComplete);
}

/**
 * What lacked figures in an earlier session has another attempt: the host may be calmer.
 *
 * @type {(trend: Trend) => Trend} as a session continues it
 */
export function continueTrend(trend) {
  return {
    ...trend,
    ended: 'running',
    skipped: trend.skipped.filter(({ reason }) => reason !== SILENT),
  };
}

/**
 * @param {TrendTask} task
 * @param {readonly TrendStep[]} steps
 * @returns {number} what the task takes if an arm on a cell takes as long as in earlier steps; 0 if there are none
 */
function expectSeconds(task, steps) {
  const countArms = (/** @type {TrendTask} */ { candidates, cellIds }) =>
    (candidates.length + 1) * cellIds.length;
  const arms = sumOf(steps.map(countArms));
  const seconds = sumOf(steps.map((step) => step.seconds));
  return arms === 0 ? 0 : (seconds / arms) * countArms(task);
}

/**
 * @param {Trend} trend
 * @param {Partial<Trend>} changes
 * @returns {Trend} with the series that follow
 */
export function update(trend, changes) {
  const changed = { ...trend, ...changes };
  return { ...changed, series: describeAllSeries(changed) };
}

/**
 * @param {Trend} trend with the last step
 * @param {TrendTask} task of that step
 * @returns {Trend['skipped']} its candidates that have no figure at all on some of its cells: on these they have had another
 *   attempt, or the step has none on any cell
 */
function listSilent(trend, { purpose, candidates, cellIds }) {
  const last = trend.steps[trend.steps.length - 1];
  // Neighbours have points of their own.
  if (!last.isComplete || purpose === 'neighbours') return [];
  const seen = new Set(last.results.map(({ candidate }) => candidate));
  return candidates.flatMap((spec) => {
    const lost = trend.series
      .filter(({ cellId, points }) => cellIds.includes(cellId) && !hasPoint(points, spec))
      .map(({ cellId }) => cellId)
      .filter((id) => !seen.has(spec) || countAttempts(trend, spec, id) > 1);
    return lost.length === 0 ? [] : { spec, cellIds: lost, reason: SILENT };
  });
}

/** @type {(points: { spec: string }[], wanted: string) => boolean} */
function hasPoint(points, wanted) {
  return points.some(({ spec }) => spec === wanted);
}

import { describeAllSeries, planNext } from './series.js';

/** @import { Trend, TrendResult, TrendStep } from '../../formats/types.ts' */
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

/**
 * @typedef {object} TrendTools
 * @property {(task: TrendTask & { seed: number, budgetSeconds: number | null }) => Promise<TrendOutcome>} compare
 * @property {(trend: Trend) => void} keep called after every step
 * @property {(step: TrendStep, trend: Trend) => void} onStep
 * @property {() => boolean} isInterrupted
 */

/** A comparison is started only if this share of what it probably takes is left of the budget. */
const LEAST_SHARE = 1 / 2;
/** Why a point is skipped that can be measured, but was disturbed too much. */
const SILENT = 'too few of its processes gave a usable figure';

/**
 * Measures what is needed until nothing more is, or the budget ends.
 *
 * @param {Trend} opened
 * @param {number | null} budgetSeconds of this session
 * @param {TrendTools} tools
 * @returns {Promise<Trend>}
 * @throws {import('../../lib/errors.js').AssayError} when the reference cannot be measured
 */
export async function runTrend(opened, budgetSeconds, tools) {
  // What lacked figures in an earlier session has another attempt: the host may be calmer.
  let trend = { ...opened, skipped: opened.skipped.filter(({ reason }) => reason !== SILENT) };
  let left = budgetSeconds ?? Infinity;
  for (;;) {
    // A step that was not measured to its end is planned again, and its run resumed. Until then the trend keeps it.
    const complete = trend.steps.filter(({ isComplete }) => isComplete);
    const task = planNext({ ...trend, steps: complete });
    if (task === null) return end('complete');
    if (tools.isInterrupted()) return end('interrupted');
    if (left <= LEAST_SHARE * expectSeconds(task, complete)) return end('budget');
    const outcome = await tools.compare({
      ...task,
      // Another order of jobs in every step, derived from the seed of the trend.
      seed: (trend.question.seed + complete.length + trend.skipped.length) % 2 ** 32,
      budgetSeconds: left === Infinity ? null : Math.ceil(left),
    });
    const { results, runId, ended, seconds, sessionSeconds, breaches } = outcome;
    left -= sessionSeconds;
    /** @type {TrendStep} */
    const step = {
      ...task,
      seconds,
      runId,
      isStored: false,
      isComplete: ended === 'complete',
      ...(breaches === undefined ? {} : { breaches }),
      results,
    };
    const skipped = [...trend.skipped, ...outcome.skipped, ...listSilent(task, outcome, complete)];
    // Attempts at neighbours count, whatever they gave.
    const isEmpty = results.length === 0 && step.isComplete && task.purpose !== 'neighbours';
    const steps = isEmpty ? complete : [...complete, step];
    trend = update(trend, { skipped, steps });
    tools.keep(trend);
    tools.onStep(step, trend);
    if (ended !== 'complete') return end(ended);
  }

  /** @param {Trend['ended']} ended */
  function end(ended) {
    trend = { ...trend, ended };
    tools.keep(trend);
    return trend;
  }
}

/**
 * @param {TrendTask} task
 * @param {readonly TrendStep[]} steps
 * @returns {number} what the task takes if an arm on a cell takes as long as in earlier steps; 0 if there are none
 */
function expectSeconds(task, steps) {
  const countArms = (/** @type {TrendTask} */ { candidates, cellIds }) =>
    (candidates.length + 1) * cellIds.length;
  const arms = steps.reduce((sum, step) => sum + countArms(step), 0);
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
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
 * @param {TrendTask} task
 * @param {TrendOutcome} outcome
 * @param {readonly TrendStep[]} earlier
 * @returns {Trend['skipped']} candidates without a result, though the comparison is complete; one without a result on
 *   some cells has another attempt at these, because a busy host may be the reason
 */
function listSilent({ purpose, candidates, cellIds }, { results, skipped, ended }, earlier) {
  // Neighbours have points of their own, and another attempt; a refusal lets the others be compared without it.
  if (ended !== 'complete' || purpose === 'neighbours' || skipped.length > 0) return [];
  const listMissing = (
    /** @type {string} */ spec,
    /** @type {Pick<TrendStep, 'results' | 'cellIds'>} */ step,
  ) =>
    step.cellIds.filter(
      (id) => !step.results.some((one) => one.candidate === spec && one.cellId === id),
    );
  return candidates
    .filter((spec) => {
      const missing = listMissing(spec, { results, cellIds });
      const before = earlier
        .filter((step) => step.candidates.includes(spec))
        .flatMap((step) => listMissing(spec, step));
      return missing.length === cellIds.length || missing.some((id) => before.includes(id));
    })
    .map((spec) => ({ spec, reason: SILENT }));
}

import { poolBaseline } from '../collect-cells.js';
import { compareTrimmedMeans, halfWidth } from '../robust.js';
import { listLogs, takeProportion } from './samples.js';

/** @import { PowerCurve, Trial } from '../../formats/types.ts' */
/** @import { MeanDifference } from '../robust.js' */

/** Of the one test at the end of a budget, two-sided. */
const LEVEL = 0.05;
const POWER = 0.8;
const BUDGETS_SECONDS = [5, 10, 20, 40];
/** With fewer trials a share of 80 % says little. */
const MIN_TRIALS = 10;
/** Effects at which the power is told: from 0.1 % to 30 %, each 5 % above the one before. */
const EFFECTS = listEffects(0.001, 0.3, 1.05);

/**
 * The power at every budget that at least ten A/A trials reach.
 *
 * @param {Trial[]} trials of one mode; those with an injected cost are passed over, and so are those
 *   that were free to stop when decided, because what is left of them at a budget is a selection
 * @returns {PowerCurve[]} by budget, ascending
 */
export function takePowerCurves(trials) {
  const full = trials.filter(({ injected, isFull }) => injected === 0 && isFull);
  return BUDGETS_SECONDS.flatMap((budgetSeconds) => {
    const reaching = full.filter((trial) => doesReach(trial, budgetSeconds * 1000));
    return reaching.length < MIN_TRIALS ? [] : takePowerCurve(reaching, budgetSeconds);
  });
}

/**
 * How often an effect is found within a budget by one test of what was measured until then, with
 * baseline and control put together as the rule of `compare` does. Adding an effect moves the
 * difference of a trial and nothing else, so each trial has an effect from which on it finds it.
 *
 * @param {Trial[]} trials A/A trials that reach the budget
 * @param {number} budgetSeconds
 * @returns {PowerCurve}
 */
export function takePowerCurve(trials, budgetSeconds) {
  const samples = trials.map((trial) => listLogs(trial, budgetSeconds * 1000));
  const tests = samples.map((logs) => compareTrimmedMeans(logs.candidate, poolBaseline(logs)));
  const rejected = tests.filter((test) => test !== null && test.p < LEVEL).length;
  const foundFrom = tests.map(findFrom);
  const points = EFFECTS.map((effect) => ({
    effect,
    power: foundFrom.filter((least) => least <= Math.log1p(effect)).length / tests.length,
  }));
  const candidates = samples.reduce((sum, { candidate }) => sum + candidate.length, 0);
  return {
    budgetSeconds,
    comparisons: trials.length,
    processes: candidates / samples.length,
    falsePositives: takeProportion(rejected, trials.length),
    points,
    detectable: findDetectable(points),
  };
}

/**
 * Whether a trial went on for so long that another process would not have fitted in.
 *
 * @param {Trial} trial
 * @param {number} budgetMs
 */
function doesReach({ processed }, budgetMs) {
  const last = processed.at(-1);
  return last !== undefined && last.startedAtMs + 2 * last.workerMs >= budgetMs;
}

/**
 * The effect that the test would just have called slower, on the log scale.
 *
 * @param {MeanDifference | null} test of two equal sides
 */
function findFrom(test) {
  return test === null ? Infinity : halfWidth(test, LEVEL) - test.difference;
}

/**
 * @param {PowerCurve['points']} points with power that never falls
 * @returns {number | null} effect at which power crosses 80 %, on the line between two points
 */
function findDetectable(points) {
  const index = points.findIndex(({ power }) => power >= POWER);
  if (index === -1) return null;
  const above = points[index];
  const below = points[index - 1];
  if (below === undefined) return above.effect;
  const share = (POWER - below.power) / (above.power - below.power);
  return below.effect + share * (above.effect - below.effect);
}

/**
 * @param {number} first
 * @param {number} last
 * @param {number} step factor from one to the next
 */
function listEffects(first, last, step) {
  const effects = [];
  for (let effect = first; effect < last; effect *= step) effects.push(effect);
  return [...effects, last];
}

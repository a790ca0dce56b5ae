import { omitUndefined } from '../../lib/records.js';
import { comparePairs, poolBaseline } from '../cell/samples.js';
import { compareRun } from '../compare.js';
import { meanOf } from '../means.js';
import { listFigures } from '../interference.js';
import { PROCESSES_PER_BLOCK, countJobs, forEachArm, listAllLooks, pairOf } from '../plan.js';
import { scheduleOf } from '../schedule.js';
import { compareTrimmedMeans, halfWidth, testPairs } from '../robust.js';
import { forEachVerdict, isDirection, isFaster, isSlower } from '../verdicts.js';
import { intervalOfMean, listLogs, splitNoise, takeProportion } from './noise.js';

/** @import { Conditions, InjectedCost, Interval, ModeCalibration, Observation, PowerCurve, PowerPoint, Proportion, Question, Trial } from '../../formats/types.ts' */
/** @import { MeanDifference } from '../robust.js' */

/**
 * What is known about a mode and schedule besides its trials.
 *
 * @typedef {Conditions & { costs: InjectedCost[], batchDeviation: number | null }} ModeContext `costs`: as
 *   they were verified, of any mode; `batchDeviation`: between batches of one process, log scale
 */

/** A/A comparisons without which reports do not cite a calibration. */
export const MIN_CITED_TRIALS = 20;

/** @type {(one: Conditions, other: Conditions) => boolean} whether both have the same mode and schedule */
export function isUnder(one, other) {
  return one.mode === other.mode && one.schedule === other.schedule;
}

/** @type {(conditions: Conditions) => string} `default mode`, `screen mode in pairs` */
export function describeConditions({ mode, schedule }) {
  return `${mode} mode${schedule === undefined ? '' : ' in pairs'}`;
}

/**
 * @param {Conditions} conditions
 * @returns {string} short, for a column: `default`, `screen`, `pairs` in default mode, `screen pairs`
 */
export function nameConditions({ mode, schedule }) {
  if (schedule === undefined) return mode;
  return mode === 'default' ? 'pairs' : `${mode} pairs`;
}

/**
 * The error rates of the decision rule in one mode with one schedule, from A/A trials and trials with a known
 * effect.
 *
 * @param {Trial[]} trials of any mode and schedule
 * @param {ModeContext} context
 * @returns {ModeCalibration}
 */
export function summarizeTrials(trials, { costs, batchDeviation, ...conditions }) {
  const own = trials.filter((trial) => isUnder(trial, conditions));
  const same = own.filter(({ injected }) => injected === 0);
  return {
    ...conditions,
    falsePositives: countWhere(same, ({ verdict }) => isDirection(verdict)),
    byCell: summarizeByCell(same),
    verdicts: countVerdicts(same),
    covered: countCovered(same, costs),
    points: COST_KINDS.flatMap((cost) => takePoints({ trials: own, cost, costs })),
    curves: takePowerCurves(own),
    noise: splitNoise(own, batchDeviation),
  };
}

/** As trials name them. @type {Trial['cost'][]} */
const COST_KINDS = [undefined, 'allocation'];

/**
 * Returns a point for each share of the cost, ascending.
 * @type {(all: { trials: Trial[], cost: Trial['cost'], costs: InjectedCost[] }) => PowerPoint[]}
 */
function takePoints({ trials, cost, costs }) {
  const alike = trials.filter((trial) => trial.cost === cost);
  const shares = [...new Set(alike.map(({ injected }) => injected))].sort((a, b) => a - b);
  return shares.map((injected) => ({
    injected,
    ...omitUndefined({ cost }),
    ...takePoint(
      alike.filter((trial) => trial.injected === injected),
      costs,
    ),
  }));
}

/**
 * The true ratio of a trial.
 *
 * @param {Pick<Trial, 'mode' | 'cellId' | 'injected' | 'cost'>} trial
 * @param {InjectedCost[]} costs
 * @returns {number} the verified ratio or, without one, that of the nominal share
 */
export function findTruth({ mode, cellId, injected, cost }, costs) {
  const verified = costs.find(
    (each) =>
      each.mode === mode &&
      each.cellId === cellId &&
      each.injected === injected &&
      each.cost === cost,
  );
  return injected === 0 || verified === undefined ? 1 + injected : verified.ratio.estimate;
}

/** @param {Trial[]} trials */
function summarizeByCell(trials) {
  /** @type {Record<string, Proportion>} */
  const byCell = {};
  for (const id of new Set(trials.map(({ cellId }) => cellId))) {
    const alike = trials.filter(({ cellId }) => cellId === id);
    byCell[id] = countWhere(alike, ({ verdict }) => isDirection(verdict));
  }
  return byCell;
}

/** @param {Trial[]} trials */
function countVerdicts(trials) {
  const counts = forEachVerdict(() => 0);
  for (const { verdict } of trials) counts[verdict] += 1;
  return counts;
}

/** @param {Trial[]} trials with one cost @param {InjectedCost[]} costs */
function takePoint(trials, costs) {
  return {
    found: countWhere(trials, ({ verdict }) => isSlower(verdict)),
    wrongSign: countWhere(trials, ({ verdict }) => isFaster(verdict)),
    bias: takeBias(trials, costs),
    covered: countCovered(trials, costs),
    processes: meanOf(trials.map(({ processes }) => processes)),
  };
}

/**
 * How many intervals contain the truth, of the trials with an interval.
 * @param {Trial[]} trials @param {InjectedCost[]} costs
 */
function countCovered(trials, costs) {
  const measured = trials.filter(({ ratio }) => ratio !== null);
  return countWhere(measured, (trial) => {
    const truth = findTruth(trial, costs);
    return trial.ratio !== null && trial.ratio.low <= truth && truth <= trial.ratio.high;
  });
}

/**
 * Mean of estimate over truth, minus one, with its t interval, on the log scale. It includes the
 * trials that stopped early because of a large estimate, which is one way in which the instrument
 * errs.
 * @type {(trials: Trial[], costs: InjectedCost[]) => Interval | null} null with fewer than two figures
 */
function takeBias(trials, costs) {
  const errors = trials.flatMap((trial) => {
    const { ratio } = trial;
    return ratio === null ? [] : Math.log(ratio.estimate / findTruth(trial, costs));
  });
  return intervalOfMean(errors);
}

/** @param {Trial[]} trials @param {(trial: Trial) => boolean} test */
function countWhere(trials, test) {
  return takeProportion(trials.filter(test).length, trials.length);
}

/**
 * The verdict of `compare` on the observations of a trial: that of the look at which it would have
 * stopped, even where the trial continued.
 *
 * @param {Question} question of one cell, with the looks of `compare`
 * @param {Observation[]} observations
 * @param {Record<string, string>} expectedDigests by cell id
 * @returns {Pick<Trial, 'verdict' | 'ratio' | 'processes' | 'processed'>}
 */
export function judgeTrial(question, observations, expectedDigests) {
  const [{ id }] = question.cells;
  const looks = listAllLooks(question);
  const stopped = looks
    .map((look) => upTo(observations, look))
    .find((seen, index) => {
      const isReached = countDistinct(seen) === countJobs(looks[index]);
      return isReached && compare(seen).decided[id];
    });
  const [{ verdict, effect, processes }] = compare(stopped ?? observations).cells;
  return {
    verdict,
    ratio: effect?.ratio ?? null,
    processes: processes.candidate,
    processed: listProcesses(question, observations),
  };

  /** @param {Observation[]} seen */
  function compare(seen) {
    return compareRun({ question, observations: seen, expectedDigests });
  }
}

/** @param {Observation[]} observations */
function countDistinct(observations) {
  return new Set(observations.map(({ id }) => id)).size;
}

/** @param {Observation[]} observations @param {number} processes per variant */
function upTo(observations, processes) {
  return observations.filter(({ block }) => block < processes / PROCESSES_PER_BLOCK);
}

/** @type {(question: Question, observations: Observation[]) => Trial['processed']} */
function listProcesses(question, observations) {
  const figures = listFigures(observations, pairOf(question, question.cells[0])).sort(
    (a, b) => a.observation.startedAtMs - b.observation.startedAtMs,
  );
  const firstMs = figures[0]?.observation.startedAtMs ?? 0;
  return figures.map(({ observation: { arm, startedAtMs, workerMs, block, position }, ns }) => ({
    arm,
    startedAtMs: startedAtMs - firstMs,
    workerMs,
    ns,
    ...(scheduleOf(question).comparesPairs ? { place: { block, position } } : {}),
  }));
}

/** Level of the single two-sided test at the end of a budget. */
const LEVEL = 0.05;
const POWER = 0.8;
const BUDGETS_SECONDS = [5, 10, 20, 40];
/** With fewer trials a share of 80 % means little. */
const MIN_TRIALS = 10;
/** Effects of a power curve: from 0.1 % to 30 %, each 5 % above the previous one. */
const EFFECTS = listEffects(0.001, 0.3, 1.05);

/**
 * The power at every budget that at least ten A/A trials reach.
 *
 * @param {Trial[]} trials of one mode and schedule; ignored are those with an injected cost, and those that could stop
 *   when decided, because the ones that reach a budget are a biased selection
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
 * How often one test at the end of a budget finds an effect: that of the decision rule, of pairs in a paired
 * schedule, with baseline and control pooled. Adding an effect only shifts the difference of a trial, so each
 * trial has a smallest effect that it finds.
 *
 * @param {Trial[]} trials A/A trials that reach the budget
 * @param {number} budgetSeconds
 * @returns {PowerCurve}
 */
export function takePowerCurve(trials, budgetSeconds) {
  const untilMs = budgetSeconds * 1000;
  const samples = trials.map((trial) => listLogs(trial, untilMs));
  const tests = trials.map((trial, index) => {
    if (!scheduleOf(trial).comparesPairs) {
      return compareTrimmedMeans(samples[index].candidate, poolBaseline(samples[index]));
    }
    const pairs = comparePlaced(trial, untilMs);
    return testPairs(poolBaseline(pairs), pairs.imbalance, 0);
  });
  const rejected = tests.filter((test) => test !== null && test.p < LEVEL).length;
  const foundFrom = tests.map(findFrom);
  const points = EFFECTS.map((effect) => ({
    effect,
    power: foundFrom.filter((least) => least <= Math.log1p(effect)).length / tests.length,
  }));
  return {
    budgetSeconds,
    comparisons: trials.length,
    processes: meanOf(samples.map(({ candidate }) => candidate.length)),
    falsePositives: takeProportion(rejected, trials.length),
    points,
    detectable: findDetectable(points),
  };
}

/**
 * Compares the pairs of which both jobs started before this time of the trial.
 * @type {(trial: Trial, untilMs: number) => ReturnType<typeof comparePairs>}
 */
function comparePlaced({ processed }, untilMs) {
  const placed = processed.flatMap(({ arm, startedAtMs, ns, place }) =>
    place === undefined || startedAtMs >= untilMs
      ? []
      : { arm, startedAtMs, ...place, logFigure: Math.log(ns) },
  );
  return comparePairs(forEachArm((wanted) => placed.filter(({ arm }) => arm === wanted)));
}

/**
 * Whether a trial used up a budget, so that no further process would have fitted in.
 * @param {Trial} trial @param {number} budgetMs
 */
function doesReach({ processed }, budgetMs) {
  const last = processed.at(-1);
  return last !== undefined && last.startedAtMs + 2 * last.workerMs >= budgetMs;
}

/** The smallest effect, log scale, that the test of two equal arms would have found. @param {MeanDifference | null} test */
function findFrom(test) {
  return test === null ? Infinity : halfWidth(test, LEVEL) - test.difference;
}

/**
 * Effect at which power crosses 80 %, on the line between two points.
 * @type {(points: PowerCurve['points']) => number | null}
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

/** Lists effects of which each is a factor `step` above the one before. @type {(first: number, last: number, step: number) => number[]} */
function listEffects(first, last, step) {
  const effects = [];
  for (let effect = first; effect < last; effect *= step) effects.push(effect);
  return [...effects, last];
}

/**
 * Change points in a series of estimates whose errors are known: the log ratios of versions or commits to one
 * reference, each with its standard error.
 *
 * The method is optimal partitioning (Jackson et al., "An algorithm for optimal partitioning of data on an interval",
 * IEEE Signal Processing Letters 12, 2005): among all ways to divide the series into segments of one level each, the
 * one with the least sum of squared standardized residuals plus a penalty for every change. It is exact and takes
 * quadratic time; PELT (Killick et al., 2012) finds the same minimum faster in series much longer than these.
 *
 * The penalty 7 + 1.3 ln n was chosen by simulation: with it, 1 % of series without a change have one found, for n from
 * 2 to 400 points of equal or differing precision (decision 0037). That is 0.2 false alarms per hundred points at
 * n = 2, and 0.01 at n = 100.
 *
 * Where neighbours were measured side by side, that comparison decides, see `DirectComparison`.
 */

import { normalCritical, studentCritical } from './distributions.js';

/** @import { LogInterval } from './decision-rule.js' */

/** @typedef {{ log: number, standardError: number }} Estimate on the log scale; the error above 0 */

/**
 * Two neighbours measured side by side. `change` puts a change between them, `none` puts none there. `open` puts none
 * there unless it is nearer to the change that the series shows, and its 95 % interval excludes 0.
 *
 * @typedef {Estimate & { answer: 'change' | 'none' | 'open' }} DirectComparison
 */

/**
 * Points between two changes.
 *
 * @typedef {object} Segment
 * @property {number} from index of the first point
 * @property {number} to index of the last one
 * @property {Estimate} level
 */

/**
 * @typedef {object} ChangePoint
 * @property {number} at index of the first point after the change
 * @property {[from: number, to: number]} range where else it may be, as indices like `at`
 * @property {Estimate} step log ratio of the level after it to that before; of neighbours that were measured side by
 *   side, the direct one
 * @property {boolean} isDirect whether the step is from such a comparison
 */

/** @typedef {{ segments: Segment[], changes: ChangePoint[] }} Partition */

/** Added to the cost by every change, see above. */
const PENALTY = { constant: 7, factor: 1.3 };
/** Places whose cost is within this of the least are in the range of a change: 95 % of chi-square with two degrees
 * of freedom. */
const RANGE_COST = 6;
/** Two-sided level at which neighbours without a verdict must differ. */
const DIRECT_LEVEL = 0.05;
/** Two-sided level at which a normal distribution stands in for Student's where changes are looked for. */
const TAIL = 0.001;

/**
 * Standard deviation, log scale, between builds of the same code, whose placement in memory differs: of a cell that the
 * host has not calibrated that of the worst known one (decision 0018).
 */
const USUAL_SPREAD = 0.023;
/** A calibration of eight placements hardly shows less. */
const MIN_SPREAD = 0.01;

/**
 * @param {string} cellId
 * @param {Readonly<Record<string, number>>} [calibrated] shares by cell id
 * @returns {number} standard deviation between builds of the same code, log scale
 */
export function spreadOfBuilds(cellId, calibrated = {}) {
  if (!Object.hasOwn(calibrated, cellId)) return USUAL_SPREAD;
  return Math.max(MIN_SPREAD, Math.log1p(calibrated[cellId]));
}

/**
 * @param {{ standardError: number, degreesOfFreedom: number }} test
 * @param {number} [level] two-sided
 * @returns {number} the standard error of a normal distribution that reaches as far as Student's does
 */
export function toNormalError({ standardError, degreesOfFreedom }, level = TAIL) {
  return (standardError * studentCritical(level, degreesOfFreedom)) / normalCritical(level);
}

/**
 * Mean of independent estimates of one level, weighted by their precision.
 *
 * @param {readonly Estimate[]} estimates at least one
 * @returns {Estimate}
 */
export function poolEstimates(estimates) {
  let weight = 0;
  let sum = 0;
  for (const { log, standardError } of estimates) {
    weight += standardError ** -2;
    sum += log * standardError ** -2;
  }
  return { log: sum / weight, standardError: weight ** -0.5 };
}

/**
 * @param {Estimate} estimate
 * @param {number} level share of intervals that may miss, two-sided
 * @returns {LogInterval}
 */
export function toInterval({ log, standardError }, level) {
  const half = normalCritical(level) * standardError;
  return { estimate: log, low: log - half, high: log + half };
}

/**
 * @param {readonly Estimate[]} points in their order
 * @param {object} [options]
 * @param {(DirectComparison | null | undefined)[]} [options.direct] of each point with the one before it, by the
 *   index of the later one
 * @param {number} [options.spread] standard deviation, log scale, by which points of one level differ besides their
 *   errors
 * @param {number} [options.penaltyShare] below 1 finds more, false ones among them
 * @returns {Partition} one segment without a change; none for no points
 */
export function findChangePoints(points, { direct = [], spread = 0, penaltyShare = 1 } = {}) {
  if (points.length === 0) return { segments: [], changes: [] };
  const series = points.map(({ log, standardError }) => ({
    log,
    standardError: Math.hypot(standardError, spread),
  }));
  const costs = openCosts(series);
  const penalty = penaltyShare * (PENALTY.constant + PENALTY.factor * Math.log(points.length));
  const forced = new Set(direct.flatMap((one, at) => (one?.answer === 'change' ? [at] : [])));
  const forbidden = new Set(direct.flatMap((one, at) => (one?.answer === 'none' ? [at] : [])));
  for (;;) {
    const starts = partition(costs, { penalty, forced, forbidden });
    const segments = starts.map((from, index) => {
      const to = (starts[index + 1] ?? points.length) - 1;
      return { from, to, level: poolEstimates(series.slice(from, to + 1)) };
    });
    const refuted = segments.slice(1).find(({ from }, index) => {
      const own = direct[from];
      return own?.answer === 'open' && !confirms(own, stepBetween(segments, index));
    });
    if (refuted === undefined) {
      return { segments, changes: describeChanges(segments, { costs, direct, forced, forbidden }) };
    }
    forbidden.add(refuted.from);
  }
}

/** @type {(direct: Estimate, step: Estimate) => boolean} */
function confirms({ log, standardError }, step) {
  const isBeyondChance = Math.abs(log) > normalCritical(DIRECT_LEVEL) * standardError;
  return isBeyondChance && Math.abs(log) >= Math.abs(log - step.log);
}

/** The step after the segment with this index. @type {(segments: readonly Segment[], index: number) => Estimate} */
function stepBetween(segments, index) {
  const [before, after] = [segments[index].level, segments[index + 1].level];
  return {
    log: after.log - before.log,
    standardError: Math.hypot(before.standardError, after.standardError),
  };
}

/**
 * Squared standardized residuals of any stretch of the series around its own level.
 * @type {(series: readonly Estimate[]) => { count: number, of: (from: number, end: number) => number }}
 */
function openCosts(series) {
  // Around one of the values, so that no digits are lost.
  const [{ log: origin }] = series;
  const weights = [0];
  const sums = [0];
  const squares = [0];
  for (const [index, { log, standardError }] of series.entries()) {
    const weight = standardError ** -2;
    weights.push(weights[index] + weight);
    sums.push(sums[index] + weight * (log - origin));
    squares.push(squares[index] + weight * (log - origin) ** 2);
  }
  return {
    count: series.length,
    of(from, end) {
      const sum = sums[end] - sums[from];
      return squares[end] - squares[from] - sum ** 2 / (weights[end] - weights[from]);
    },
  };
}

/**
 * @param {ReturnType<typeof openCosts>} costs
 * @param {{ penalty: number, forced: Set<number>, forbidden: Set<number> }} rule
 * @returns {number[]} index of the first point of each segment, ascending
 */
function partition({ count, of }, { penalty, forced, forbidden }) {
  const least = [0];
  const starts = [0];
  for (let end = 1; end <= count; end++) {
    least.push(Infinity);
    starts.push(0);
    for (let from = end - 1; from >= 0; from--) {
      if (from === 0 || !forbidden.has(from)) {
        const cost = least[from] + of(from, end) + (from === 0 || forced.has(from) ? 0 : penalty);
        if (cost < least[end]) {
          least[end] = cost;
          starts[end] = from;
        }
      }
      // No segment contains a forced change.
      if (forced.has(from)) break;
    }
  }
  const found = [];
  for (let end = count; end > 0; end = starts[end]) found.unshift(starts[end]);
  return found;
}

/**
 * @param {Segment[]} segments
 * @param {object} known
 * @param {ReturnType<typeof openCosts>} known.costs
 * @param {(DirectComparison | null | undefined)[]} known.direct
 * @param {Set<number>} known.forced
 * @param {Set<number>} known.forbidden
 * @returns {ChangePoint[]}
 */
function describeChanges(segments, { costs, direct, forced, forbidden }) {
  return segments.slice(1).map(({ from: at, to }, index) => {
    const own = direct[at] ?? null;
    const isSettled = own !== null;
    const range = isSettled ? [at, at] : findRange({ first: segments[index].from, at, to });
    return {
      at,
      range: /** @type {[number, number]} */ (range),
      step:
        own === null
          ? stepBetween(segments, index)
          : { log: own.log, standardError: own.standardError },
      isDirect: isSettled,
    };
  });

  /** @param {{ first: number, at: number, to: number }} place of two segments and the change between them */
  function findRange({ first, at, to }) {
    const costAt = (/** @type {number} */ place) =>
      costs.of(first, place) + costs.of(place, to + 1);
    const most = costAt(at) + RANGE_COST;
    const places = Array.from({ length: to - first }, (_, offset) => first + 1 + offset).filter(
      (place) => !forbidden.has(place) && !forced.has(place) && costAt(place) <= most,
    );
    return [places[0], places[places.length - 1]];
  }
}

/** What the steps of a trend say so far, and what to measure next. Decision 0037 has the reasons. */

import { group, least } from 'd3-array';
import { omitUndefined } from '../../lib/records.js';
import {
  findChangePoints,
  poolEstimates,
  spreadOfBuilds,
  toInterval,
  toNormalError,
} from '../../stats/change-points.js';
import { MIN_PROCESSES, allowForPull } from '../../stats/decision-rule.js';
import { toRatios } from '../../stats/means.js';
import { scheduleOf } from '../../stats/schedule.js';
import { isDecided, isDirection } from '../../stats/verdicts.js';

/** @import { ComparisonRecord, RatioInterval, Trend, TrendEstimate, TrendPurpose, TrendResult, TrendSeries, TrendStep, VerdictWord } from '../../formats/types.ts' */
/** @import { DirectComparison, Estimate, Partition } from '../../stats/change-points.js' */

/**
 * What a step measures.
 *
 * @typedef {object} TrendTask
 * @property {TrendPurpose} purpose
 * @property {string} baseline spec
 * @property {string[]} candidates specs
 * @property {string[]} cellIds without candidates
 */

/** Share of the penalty that is enough to look for a change between two points. */
const SEARCH_SHARE = 0.5;
/** Candidates of one comparison: more share the baseline better, fewer end sooner. */
const MOST_CANDIDATES = 10;
/** Points that are measured between two that differ. */
const BETWEEN = 3;
/** Processes of a point, unless a small budget allows fewer: its ratio is then known to about 1 %. */
export const USUAL_PROCESSES = 24;
/** Share of the usual processes that suffices; some are lost to disturbances. */
const ENOUGH_SHARE = 3 / 4;
/** Comparisons of one point with the baseline, whether or not they give a figure. */
const MOST_REPEATS = 4;
/** Comparisons of two neighbours, where the host disturbs the first. */
const MOST_ATTEMPTS = 2;
/** Floor of the standard error: zero would have infinite weight. */
const SMALLEST_ERROR = 1e-6;
/** Level of the intervals of points and steps. */
const LEVEL = 0.05;
/** That of a step between neighbours, so that 95 % of them hold although the comparison ends when it is decided. */
const DIRECT_LEVEL = 0.01;

/** @typedef {Pick<Trend, 'question' | 'points' | 'firstPoints' | 'steps' | 'skipped' | 'placementSpread'>} Known */

/**
 * @param {ComparisonRecord['cells']} cells
 * @returns {TrendResult[]} those with enough processes
 */
export function toResults(cells) {
  return cells.flatMap((cell) => {
    const { candidate, cellId, verdict, logRatio: log, standardError, degreesOfFreedom } = cell;
    if (log === null || standardError === null || degreesOfFreedom === null) return [];
    if (verdict === 'refused' || cell.processes < MIN_PROCESSES) return [];
    const { placement, processes } = cell;
    return {
      candidate,
      cellId,
      verdict,
      ...describeEstimate({ logRatio: log, standardError, degreesOfFreedom }),
      processes,
      ...omitUndefined({ placement: placement && describeEstimate(placement) }),
    };
  });
}

/** @type {(test: NonNullable<ComparisonRecord['cells'][number]['placement']>) => Required<TrendEstimate>} */
function describeEstimate({ logRatio: log, standardError, degreesOfFreedom }) {
  const error = toNormalError({ standardError, degreesOfFreedom });
  return { log, standardError: Math.max(error, SMALLEST_ERROR), degreesOfFreedom };
}

/**
 * One cell over the points that were measured.
 *
 * @typedef {object} CellSeries
 * @property {string} cellId
 * @property {number[]} measured indices of points, ascending
 * @property {Estimate[]} estimates of these
 * @property {TrendResult[][]} results of these
 * @property {number[]} attempts comparisons of these with the baseline
 * @property {number} spread standard deviation between builds of the same code, log scale
 * @property {(Neighbours | null)[]} direct of each with the one before it
 */

/** `overPlacements`: of their code, not only of these builds. @typedef {DirectComparison & { overPlacements?: true }} Neighbours */

/**
 * @param {Known} trend
 * @param {string} cellId
 * @returns {CellSeries}
 */
function collectSeries(trend, cellId) {
  const { question, points, steps } = trend;
  const find = indexResults(steps, cellId);
  const findNeighbours = indexResults(
    steps.filter(({ purpose }) => purpose === 'neighbours'),
    cellId,
  );
  const all = points.map(({ spec }) => find(question.baseline, spec));
  const attempts = group(
    steps.flatMap((step) => step.candidates.map((spec) => ({ spec, step }))),
    ({ spec }) => spec,
  );
  const measured = all.flatMap((results, index) => (results.length === 0 ? [] : [index]));
  return {
    cellId,
    measured,
    estimates: measured.map((index) => poolEstimates(all[index])),
    results: measured.map((index) => all[index]),
    attempts: measured.map((index) => {
      const { spec } = points[index];
      const own = (attempts.get(spec) ?? []).map(({ step }) => step);
      return countAttempts({ question, steps: own }, spec, cellId);
    }),
    spread: spreadOfBuilds(cellId, trend.placementSpread),
    direct: measured.map((index, place) => {
      if (place === 0) return null;
      const found = findNeighbours(points[measured[place - 1]].spec, points[index].spec);
      const usable = found.filter(({ verdict }) => verdict !== 'untrusted');
      const placed = usable.filter(({ placement }) => placement !== undefined);
      const best = least(
        placed.length > 0 ? placed : usable,
        (one) => decisiveOf(one).standardError,
      );
      return best === undefined ? null : describeDirect(best);
    }),
  };
}

/**
 * A series may have thousands of steps, which are not to be searched for every point.
 * @type {(steps: readonly TrendStep[], cellId: string) => (baseline: string, candidate: string) => TrendResult[]}
 */
function indexResults(steps, cellId) {
  const keyOf = (/** @type {string} */ baseline, /** @type {string} */ candidate) =>
    JSON.stringify([baseline, candidate]);
  const own = steps.flatMap(({ baseline, results }) =>
    results
      .filter((one) => one.cellId === cellId)
      .map((result) => ({ key: keyOf(baseline, result.candidate), result })),
  );
  const known = group(own, ({ key }) => key);
  return (baseline, candidate) =>
    (known.get(keyOf(baseline, candidate)) ?? []).map(({ result }) => result);
}

/**
 * @param {Pick<Trend, 'question' | 'steps'>} trend
 * @param {string} spec
 * @param {string} cellId
 * @returns {number} comparisons of a point with the baseline on a cell, whether or not they gave a figure
 */
export function countAttempts({ question, steps }, spec, cellId) {
  return steps.filter(
    ({ baseline, candidates, cellIds }) =>
      baseline === question.baseline && candidates.includes(spec) && cellIds.includes(cellId),
  ).length;
}

/** @type {(result: TrendResult) => TrendEstimate} over placements of the code, where it was measured */
function decisiveOf(result) {
  return result.placement ?? result;
}

/** @type {(result: TrendResult) => Neighbours} */
function describeDirect(result) {
  const { verdict, placement } = result;
  return {
    ...narrow(decisiveOf(result)),
    answer: answerOf(verdict),
    ...(placement === undefined ? {} : { overPlacements: true }),
  };
}

/** @type {(verdict: VerdictWord) => DirectComparison['answer']} */
function answerOf(verdict) {
  if (!isDecided(verdict)) return 'open';
  return isDirection(verdict) ? 'change' : 'none';
}

/**
 * @param {TrendEstimate} estimate
 * @returns {Estimate} whose error gives its 95 % interval; that for change points reaches further where processes are few
 */
function narrow({ log, standardError, degreesOfFreedom }) {
  if (degreesOfFreedom === undefined) return { log, standardError };
  const test = { standardError, degreesOfFreedom };
  return { log, standardError: (standardError * toNormalError(test, LEVEL)) / toNormalError(test) };
}

/** @type {(series: CellSeries, penaltyShare?: number) => Partition} */
function divide({ estimates, direct, spread }, penaltyShare = 1) {
  return findChangePoints(estimates, { direct, spread, penaltyShare });
}

/**
 * @param {Known} trend
 * @returns {TrendSeries[]} one for each cell
 */
export function describeAllSeries(trend) {
  return trend.question.cells.map(({ id }) => describeSeries(trend, id));
}

/** @type {(trend: Known, cellId: string) => TrendSeries} */
function describeSeries(trend, cellId) {
  const series = collectSeries(trend, cellId);
  const { measured, results } = series;
  const { segments, changes } = divide(series);
  const { question } = trend;
  const specOf = (/** @type {number} */ place) => trend.points[measured[place]].spec;
  return {
    cellId,
    points: segments.flatMap(({ from, to, level }) =>
      results.slice(from, to + 1).map((own, offset) => ({
        spec: specOf(from + offset),
        ratio: toRatios(allowForPull(toInterval(poolEstimates(own.map(narrow)), LEVEL), question)),
        level: Math.exp(level.log),
        processes: own.reduce((sum, { processes }) => sum + processes, 0),
      })),
    ),
    changes: changes.map(({ at, range, step, isDirect }, index) => ({
      before: specOf(at - 1),
      after: specOf(at),
      step: toRatios(
        isDirect
          ? allowForPull(toInterval(step, DIRECT_LEVEL), question)
          : allowForPullOfBoth(step, segments[index].level, segments[index + 1].level, question),
      ),
      isDirect,
      ...omitUndefined({ overPlacements: series.direct[at]?.overPlacements }),
      unmeasured: listOpen(trend, cellId, measured[at - 1], measured[at]).length,
      range: [specOf(range[0]), specOf(range[1])],
    })),
  };
}

/**
 * The interval of a step between levels, each of which the schedule may pull towards the baseline by another part.
 * @type {(step: Estimate, before: Estimate, after: Estimate, question: Trend['question']) => RatioInterval} log scale
 */
function allowForPullOfBoth(step, before, after, question) {
  const { pull } = scheduleOf(question);
  const { estimate, low, high } = toInterval(step, LEVEL);
  return {
    estimate,
    low: low + pull * (Math.min(0, after.log) - Math.max(0, before.log)),
    high: high + pull * (Math.max(0, after.log) - Math.min(0, before.log)),
  };
}

/** @type {(trend: Known, cellId: string) => (index: number) => boolean} whether a point was not skipped on this cell */
function findUsable({ points, skipped }, cellId) {
  const passed = new Set(
    skipped.flatMap(({ spec, cellIds }) => (cellIds?.includes(cellId) === false ? [] : [spec])),
  );
  return (index) => !passed.has(points[index].spec);
}

/**
 * @param {Known} trend
 * @param {string} cellId
 * @param {number} before
 * @param {number} after
 * @returns {number[]} points between these two that can be measured on the cell
 */
function listOpen(trend, cellId, before, after) {
  const between = Array.from({ length: after - before - 1 }, (_, offset) => before + 1 + offset);
  return between.filter(findUsable(trend, cellId));
}

/**
 * The next comparison: the first points, then points between those that differ, then those again whose errors leave
 * the place of a change open, then neighbours side by side, then points that had few processes. It follows from what is
 * known, so that a trend is resumed by asking again.
 *
 * @param {Known} trend
 * @returns {TrendTask | null} null when everything is settled
 */
export function planNext(trend) {
  const cells = trend.question.cells.map(({ id }) => ({ id, series: collectSeries(trend, id) }));
  return (
    planPoints('first', listFirst) ??
    planPoints('between', listBetween) ??
    planPoints('again', listAgain) ??
    planNeighbours(trend, cells) ??
    planPoints('again', listImprecise)
  );

  /**
   * @param {TrendPurpose} purpose
   * @param {(trend: Known, series: CellSeries) => number[]} list of indices
   * @returns {TrendTask | null} for the first cell that needs points, and others that need the same
   */
  function planPoints(purpose, list) {
    const wanted = cells.map(({ id, series }) => ({ id, points: list(trend, series) }));
    const first = wanted.find(({ points }) => points.length > 0);
    if (first === undefined) return null;
    const points = thinOut(first.points);
    const sharing = wanted.filter((one) => one.points.some((index) => points.includes(index)));
    return {
      purpose,
      baseline: trend.question.baseline,
      candidates: points.map((index) => trend.points[index].spec),
      cellIds: sharing.map(({ id }) => id),
    };
  }
}

/**
 * Points of one comparison share the error of its baseline. Of more than it takes, those that it takes are not neighbours, so
 * that this error does not look like a change.
 *
 * @param {number[]} points
 * @returns {number[]} at even distances, at most as many as one comparison takes
 */
function thinOut(points) {
  const stride = Math.ceil(points.length / MOST_CANDIDATES);
  return points.toSorted((one, other) => one - other).filter((_, place) => place % stride === 0);
}

/**
 * Points at even distances, and for each that cannot be measured the nearest that can.
 * @type {(trend: Known, series: CellSeries) => number[]}
 */
function listFirst(trend, { cellId, measured }) {
  const { points, firstPoints: count } = trend;
  const usable = listOpen(trend, cellId, -1, points.length);
  /** @type {number[]} */
  const chosen = [];
  for (let place = 0; place < count; place++) {
    const wanted = count === 1 ? 0 : Math.round((place * (points.length - 1)) / (count - 1));
    const [nearest] = usable
      .filter((index) => !chosen.includes(index))
      .sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted));
    if (nearest !== undefined) chosen.push(nearest);
  }
  return chosen.filter((index) => !measured.includes(index));
}

/** @type {(trend: Known, series: CellSeries) => number[]} */
function listBetween(trend, series) {
  const { cellId, measured } = series;
  const found = divide(series, SEARCH_SHARE).changes.flatMap(({ range: [low, high] }) => {
    const gaps = Array.from({ length: high - low + 1 }, (_, offset) =>
      listOpen(trend, cellId, measured[low + offset - 1], measured[low + offset]),
    );
    return gaps.flatMap(pickBetween);
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** @type {(open: number[]) => number[]} */
function pickBetween(open) {
  const count = Math.min(BETWEEN, open.length);
  return Array.from(
    { length: count },
    (_, place) => open[Math.floor(((place + 1) * open.length) / (count + 1))],
  );
}

/** @type {(trend: Known, series: CellSeries) => number[]} */
function listAgain(trend, series) {
  const { cellId, measured, attempts, estimates, spread } = series;
  const isUsable = findUsable(trend, cellId);
  const found = divide(series).changes.flatMap(({ range: [low, high], isDirect }) => {
    if (isDirect || low === high) return [];
    const places = Array.from({ length: high - low + 2 }, (_, offset) => low - 1 + offset);
    return places.filter(
      (place) =>
        attempts[place] < MOST_REPEATS &&
        // More processes do not show what differs between builds.
        estimates[place].standardError > spread &&
        isUsable(measured[place]),
    );
  });
  return [...new Set(found)].map((place) => measured[place]);
}

/**
 * Points that a small budget allowed only few processes at first, in case there is some of it left.
 * @type {(trend: Known, series: CellSeries) => number[]}
 */
function listImprecise(trend, { cellId, measured, results, attempts }) {
  const isUsable = findUsable(trend, cellId);
  return measured.filter((index, place) => {
    const own = results[place];
    const processes = own.reduce((sum, one) => sum + one.processes, 0);
    const isEnough = attempts[place] >= MOST_REPEATS || processes >= ENOUGH_SHARE * USUAL_PROCESSES;
    return !isEnough && isUsable(index);
  });
}

/** @type {(trend: Known, cells: { id: string, series: CellSeries }[]) => TrendTask | null} */
function planNeighbours(trend, cells) {
  const pairs = cells.flatMap(({ id, series }) =>
    divide(series)
      .changes.filter(({ isDirect }) => !isDirect)
      .map(({ at }) => ({
        id,
        before: trend.points[series.measured[at - 1]].spec,
        after: trend.points[series.measured[at]].spec,
      })),
  );
  const isOver = (/** @type {(typeof pairs)[number]} */ { id, before, after }) =>
    trend.steps.filter(
      ({ purpose, baseline, candidates, cellIds }) =>
        purpose === 'neighbours' &&
        baseline === before &&
        candidates.includes(after) &&
        cellIds.includes(id),
    ).length >= MOST_ATTEMPTS;
  const first = pairs.find((pair) => !isOver(pair));
  if (first === undefined) return null;
  const { before, after } = first;
  return {
    purpose: 'neighbours',
    baseline: before,
    candidates: [after],
    cellIds: pairs
      .filter((pair) => pair.before === before && pair.after === after && !isOver(pair))
      .map(({ id }) => id),
  };
}

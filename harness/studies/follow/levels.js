/** The measured commits of a branch on each cell: their ratios to the reference, and the levels between changes. */

import { median } from 'd3-array';
import { omitUndefined } from '../../lib/records.js';
import { spreadOfBuilds } from '../../stats/change-points.js';
import { describeAllSeries, toResults } from '../trend/series.js';

/** @import { FollowedCell, Question, RecordedCell, SeriesChange, Trend, TrendResult, TrendStep, VerdictWord } from '../../formats/types.ts' */
/** @import { Chain, FollowedRecord } from './chain.js' */
/** @import { Pair } from './following.js' */

/** What the points are compared with; no hash is called so. */
const REFERENCE = 'reference';
/** Differences of neighbours from which a spread between builds is taken that is larger, or smaller, than the usual one. */
const MIN_DIFFERENCES = { larger: 8, smaller: 30 };
/** Standard deviation of a normal distribution, divided by its median absolute value. */
const MEDIAN_TO_DEVIATION = 1.4826;

/** @typedef {FollowedCell & { changes: SeriesChange[] }} CellLevels `changes`: of its series; their specs are whole hashes */

/**
 * @param {FollowedRecord[]} records on the chain, the oldest first
 * @param {Chain} chain
 * @param {{ question: Question, pairs: readonly Pair[] }} known `pairs`: what was found between commits
 * @returns {CellLevels[]} one for each cell that any of them has
 */
export function readLevels(records, { places }, { question, pairs }) {
  const points = records.filter(({ followed }) => followed.purpose === 'point');
  return listCells(records).map(({ cellId, operation, corpus, runtime }) => {
    const own = points.flatMap((record) => {
      const cell = record.cells.find((one) => one.cellId === cellId);
      const [result] = cell === undefined ? [] : toResults([cell]);
      if (cell === undefined || result === undefined) return [];
      return { revision: record.followed.after, cell, result };
    });
    own.sort((one, other) => placeOf(one.revision) - placeOf(other.revision));
    const measured = [...new Set(own.map(({ revision }) => revision))];
    const direct = listDirect(cellId, measured, pairs, placeOf);
    const series = describeSeries({
      question: { ...question, baseline: REFERENCE, cells: [{ id: cellId, operation, corpus }] },
      points: measured.map((spec) => ({ spec, name: spec })),
      firstPoints: measured.length,
      steps: [
        ...own.map(({ revision, result }) => makeStep('first', REFERENCE, revision, result)),
        ...direct.map((one) => makeStep('neighbours', one.before, one.after, one.result)),
      ],
      skipped: [],
      ...omitUndefined({
        placementSpread: estimateSpread(
          cellId,
          own.map(({ result }) => result),
        ),
      }),
    });
    const times = new Map(own.map(({ revision, cell }) => [revision, cell.candidateNs]));
    return {
      ...{ cellId, operation, corpus, ...omitUndefined({ runtime }) },
      points: series.points.map(({ spec, ratio, level }) => ({
        ...{ revision: spec, ratio, level, ns: times.get(spec) ?? null },
      })),
      changes: series.changes,
    };
  });

  /** @param {string} revision */
  function placeOf(revision) {
    return places.get(revision) ?? 0;
  }
}

/** @type {(known: Pick<Trend, 'question' | 'points' | 'firstPoints' | 'steps' | 'skipped' | 'placementSpread'>) => Trend['series'][number]} */
function describeSeries(known) {
  return describeAllSeries(known)[0];
}

/** @type {(records: FollowedRecord[]) => RecordedCell[]} one for each cell, the first that has it */
function listCells(records) {
  /** @type {Map<string, RecordedCell>} */
  const known = new Map();
  for (const cell of records.flatMap(({ cells }) => cells)) {
    if (!known.has(cell.cellId)) known.set(cell.cellId, cell);
  }
  return [...known.values()];
}

/** @type {(purpose: TrendStep['purpose'], baseline: string, candidate: string, result: TrendResult) => TrendStep} */
function makeStep(purpose, baseline, candidate, result) {
  return {
    ...{ purpose, baseline, candidates: [candidate], cellIds: [result.cellId], seconds: 0 },
    ...{ runId: null, isStored: true, isComplete: true, results: [{ ...result, candidate }] },
  };
}

/**
 * Measured neighbours between which a confirmation has shown a change, or none. Other comparisons of neighbours do not
 * decide here: neighbours that are equivalent may be parts of a slow drift.
 *
 * @param {string} cellId
 * @param {string[]} measured in order
 * @param {readonly Pair[]} pairs
 * @param {(revision: string) => number} placeOf
 * @returns {{ before: string, after: string, result: TrendResult }[]}
 */
function listDirect(cellId, measured, pairs, placeOf) {
  const own = pairs.flatMap(({ from, to, cells }) => {
    const found = cells.find(({ cell }) => cell.cellId === cellId);
    const [result] = found === undefined ? [] : toResults([found.cell]);
    return found === undefined || result === undefined ? [] : { from, to, found, result };
  });
  return measured.slice(1).flatMap((after, index) => {
    const before = measured[index];
    const [low, high] = [placeOf(before), placeOf(after)];
    const change = own.find(
      ({ from, to, found }) => found.state === 'confirmed' && low <= from && to <= high,
    );
    const none = own.find(
      ({ from, to, found }) => found.state === 'refuted' && low === from && to === high,
    );
    const { result } = change ?? none ?? {};
    if (result === undefined) return [];
    const verdict = /** @type {VerdictWord} */ (
      change === undefined ? 'equivalent' : change.found.isSlower ? 'slower' : 'faster'
    );
    return { before, after, result: { ...result, verdict } };
  });
}

/**
 * How much builds of the same code differ on a cell, from the differences of neighbours: their median, so that changes do
 * not count.
 *
 * @param {string} cellId
 * @param {TrendResult[]} results in order
 * @returns {Record<string, number> | undefined} a share; undefined with too few of them
 */
function estimateSpread(cellId, results) {
  const steps = results.slice(1).map(({ log }, index) => log - results[index].log);
  if (steps.length < MIN_DIFFERENCES.larger) return undefined;
  const difference = MEDIAN_TO_DEVIATION * (median(steps, Math.abs) ?? 0);
  const error = median(results, ({ standardError }) => standardError) ?? 0;
  const spread = Math.sqrt(Math.max(0, difference ** 2 / 2 - error ** 2));
  if (steps.length < MIN_DIFFERENCES.smaller && spread < spreadOfBuilds(cellId)) return undefined;
  return { [cellId]: Math.expm1(spread) };
}

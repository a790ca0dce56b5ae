/** How two commits of a followed branch differ: from the series of their ratios to the reference, and the confirmed changes. */

import { spreadOfBuilds } from './change-points.js';
import { isConfirmed } from './alarms.js';
import { normalCritical } from './distributions.js';
import { meanOf, sumOf, toLogs, toRatios } from './means.js';

/** @import { FollowedCell, FollowedChange, FollowedPoint, Following, RatioInterval } from '../formats/types.ts' */

/**
 * How one cell differs.
 *
 * @typedef {object} CellSince
 * @property {string} cellId
 * @property {string} operation
 * @property {string} corpus
 * @property {RatioInterval | null} ratio later divided by earlier, with an interval of at least 95 %; null where one of them
 *   has no point
 * @property {'direct' | 'levels'} source `direct`: the two were compared side by side, and differ
 */

const LEVEL = 0.05;
/** Residuals of points from which the errors of points are taken, rather than from what is usual. */
const MIN_RESIDUALS = 10;

/**
 * @param {Following} following
 * @param {string | null} from whole hash of a commit of the branch; null for the reference
 * @param {string} to that of a later one
 * @returns {{ cells: CellSince[], changes: FollowedChange[] }} `changes`: the confirmed ones of commits after `from` up to
 *   `to`, the oldest first
 */
export function compareSince({ commits, cells, changes }, from, to) {
  const places = new Map(commits.map(({ revision }, place) => [revision, place]));
  const placeOf = (/** @type {string} */ revision) => places.get(revision) ?? -1;
  const confirmed = changes.filter(isConfirmed);
  const same = confirmed.find(({ before, after }) => before === from && after === to);
  return {
    cells: cells.map((cell) => {
      const { cellId, operation, corpus } = cell;
      const direct = same?.cells.find((one) => one.cellId === cellId)?.ratio;
      return {
        ...{ cellId, operation, corpus },
        ratio:
          direct ??
          compareLevels(cell, [from === null ? null : placeOf(from), placeOf(to)], placeOf),
        source: direct === undefined ? 'levels' : 'direct',
      };
    }),
    changes: confirmed.filter(
      ({ after }) =>
        (from === null || placeOf(after) > placeOf(from)) && placeOf(after) <= placeOf(to),
    ),
  };
}

/**
 * The stretch of either commit, or where there was no change between them, the part of it on either side.
 *
 * @param {FollowedCell} cell
 * @param {[from: number | null, to: number]} ends places of both commits
 * @param {(revision: string) => number} placeOf
 * @returns {RatioInterval | null}
 */
function compareLevels({ cellId, points }, [from, to], placeOf) {
  const stretches = divide(points);
  if (from === null) return compareWithReference(cellId, stretches, placeOf, to);
  const isUntil = (/** @type {number} */ end) => (/** @type {FollowedPoint} */ point) =>
    placeOf(point.revision) <= end;
  // The last that was measured by then.
  const [first, last] = [from, to].map((end) => stretches.findLast(([one]) => isUntil(end)(one)));
  if (first === undefined || last === undefined) return null;
  const [earlier, later] =
    first === last
      ? [
          first.filter(isUntil(from)),
          first.filter((point) => !isUntil(from)(point) && isUntil(to)(point)),
        ]
      : [first, last];
  if (later.length === 0) return null;
  const error = errorOf(cellId, stretches);
  const estimate = meanLog(later) - meanLog(earlier);
  const half = normalCritical(LEVEL) * error * Math.sqrt(1 / earlier.length + 1 / later.length);
  return toRatios({ estimate, low: estimate - half, high: estimate + half });
}

/**
 * The level of a commit is its ratio to the reference. The build of the reference is one and the same in all points, so its
 * difference from other builds does not average out.
 *
 * @param {string} cellId
 * @param {FollowedPoint[][]} stretches
 * @param {(revision: string) => number} placeOf
 * @param {number} to place of the commit
 * @returns {RatioInterval | null}
 */
function compareWithReference(cellId, stretches, placeOf, to) {
  const last = stretches
    .findLast(([one]) => placeOf(one.revision) <= to)
    ?.filter(({ revision }) => placeOf(revision) <= to);
  if (last === undefined) return null;
  const estimate = meanLog(last);
  const error = errorOf(cellId, stretches) / Math.sqrt(last.length);
  const half = normalCritical(LEVEL) * Math.hypot(error, spreadOfBuilds(cellId));
  return toRatios({ estimate, low: estimate - half, high: estimate + half });
}

/** @type {(points: FollowedPoint[]) => FollowedPoint[][]} neighbours of one level together */
function divide(points) {
  /** @type {FollowedPoint[][]} */
  const stretches = [];
  for (const point of points) {
    const last = stretches.at(-1);
    if (last?.[0].level === point.level) last.push(point);
    else stretches.push([point]);
  }
  return stretches;
}

/** @type {(points: FollowedPoint[]) => number} */
function meanLog(points) {
  return meanOf(points.map(({ ratio }) => Math.log(ratio.estimate)));
}

/**
 * How far points are from their level: as they are seen to be, at least by their own errors; with few of them by what is
 * usual between builds.
 *
 * @param {string} cellId
 * @param {FollowedPoint[][]} stretches
 * @returns {number} standard deviation of a point, log scale
 */
function errorOf(cellId, stretches) {
  const points = stretches.flat();
  const own = meanOf(
    points.map(({ ratio }) => {
      const { low, high } = toLogs(ratio);
      return (high - low) / 2 / normalCritical(LEVEL);
    }),
  );
  const freedom = points.length - stretches.length;
  if (freedom < MIN_RESIDUALS) return Math.hypot(own, spreadOfBuilds(cellId));
  const squares = stretches.flatMap((stretch) => {
    const mean = meanLog(stretch);
    return stretch.map(({ ratio }) => (Math.log(ratio.estimate) - mean) ** 2);
  });
  return Math.max(own, Math.sqrt(sumOf(squares) / freedom));
}

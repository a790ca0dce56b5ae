/** Changes that no merge has shown: the series of points has another level than before. */

import { normalCritical } from '../../stats/distributions.js';
import { toLogs } from '../../stats/means.js';
import { USUAL } from '../../stats/usual.js';

/** @import { Question, RatioInterval, SeriesChange } from '../../formats/types.ts' */
/** @import { CellLevels } from './levels.js' */

/** Points on either side of such a change, so that no single build makes one. */
const MIN_POINTS = 4;
/** Points by which either end of what is compared directly lies further from the change: a drift has no single place. */
const MARGIN = 3;
/** Suspicions of a merge by all series together, as a share of those by its comparison. */
const SHARE = 0.1;
/** That of the intervals of steps. */
const LEVEL = 0.05;

/**
 * @typedef {object} Drift
 * @property {string} before whole hash of a measured commit
 * @property {string} after
 * @property {{ cellId: string, step: RatioInterval }[]} cells
 */

/**
 * @param {CellLevels[]} cells
 * @param {Pick<Question, 'minimumEffect'>} question
 * @param {object} chain
 * @param {ReadonlyMap<string, number>} chain.places of commits
 * @param {(cellId: string, from: number, to: number) => boolean} chain.isAnswered whether such a change was asked about already
 * @returns {Drift[]} of cells that overlap one, that of the clearest change
 */
export function findDrifts(cells, { minimumEffect }, { places, isAnswered }) {
  const least = normalCritical((SHARE * USUAL.alpha) / Math.max(1, cells.length));
  const found = cells.flatMap((cell) =>
    cell.changes.flatMap((change) => {
      const { estimate, low, high } = toLogs(change.step);
      const error = (high - low) / 2 / normalCritical(LEVEL);
      const clarity = Math.abs(estimate) / error;
      if (change.isDirect || clarity < least || Math.abs(estimate) < Math.log1p(minimumEffect)) {
        return [];
      }
      const ends = findEnds(cell, change);
      return ends === null ? [] : { cellId: cell.cellId, step: change.step, clarity, ...ends };
    }),
  );
  /** @type {(Drift & { from: number, to: number })[]} */
  const drifts = [];
  for (const one of found.toSorted((a, b) => b.clarity - a.clarity)) {
    const { cellId, step, before, after } = one;
    const [from = 0, to = 0] = [before, after].map((revision) => places.get(revision));
    if (isAnswered(cellId, from, to)) continue;
    const same = drifts.find((drift) => drift.from < to && from < drift.to);
    if (same === undefined) drifts.push({ before, after, from, to, cells: [{ cellId, step }] });
    else if (same.cells.every((cell) => cell.cellId !== cellId)) same.cells.push({ cellId, step });
  }
  return drifts.map(({ before, after, cells: own }) => ({ before, after, cells: own }));
}

/**
 * @param {Pick<CellLevels, 'points'>} cell
 * @param {SeriesChange} change
 * @returns {{ before: string, after: string } | null} commits to compare, within both levels; null where either level has too
 *   few points
 */
function findEnds({ points }, { after, range }) {
  const at = points.findIndex(({ revision }) => revision === after);
  const start = points.findIndex(({ level }) => level === points[at - 1].level);
  const end = points.findLastIndex(({ level }) => level === points[at].level);
  if (at - start < MIN_POINTS || end - at + 1 < MIN_POINTS) return null;
  const [first, last] = range.map((spec) => points.findIndex(({ revision }) => revision === spec));
  const from = Math.max(start, first - 1 - MARGIN);
  const to = Math.min(end, last + MARGIN);
  return { before: points[from].revision, after: points[to].revision };
}

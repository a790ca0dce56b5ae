/** Which changes later ones have taken back. */

import { isConfirmed } from '../../stats/alarms.js';

/** @import { FollowedChange, Question } from '../../formats/types.ts' */

/**
 * The changes of one cell in one direction that stand, and by how much the level differs from that before the oldest of them.
 *
 * @typedef {{ standing: { change: FollowedChange, size: number }[], excess: number }} Stand log scale, in that direction
 */

/**
 * A change of the other direction takes back those changes of a cell without which the rest still accounts for its level, the
 * largest first. So of two that made a cell slower, a repair as large as one of them takes back that one, whatever came first.
 *
 * @param {FollowedChange[]} changes in any order
 * @param {(change: FollowedChange) => number} placeOf of its last commit
 * @param {Pick<Question, 'minimumEffect'>} question
 * @returns {FollowedChange[]} in that order; those restored that were taken back on all cells they are about
 */
export function markRestored(changes, placeOf, { minimumEffect }) {
  const margin = Math.log1p(minimumEffect);
  const confirmed = changes.filter(isConfirmed).toSorted((a, b) => placeOf(a) - placeOf(b));
  const ids = new Set(confirmed.flatMap(({ cells }) => cells.map(({ cellId }) => cellId)));
  /** The change that took it back last, and the cells on which that happened. @type {Map<FollowedChange, { by: FollowedChange, cellIds: Set<string> }>} */
  const taken = new Map();
  for (const cellId of ids) {
    for (const direction of [1, -1]) {
      /** @type {Stand} */
      let stand = { standing: [], excess: 0 };
      for (const change of confirmed) {
        const own = change.cells.find((cell) => cell.cellId === cellId);
        if (own === undefined) continue;
        const size = direction * Math.log(own.ratio.estimate);
        const { standing } = stand;
        stand = size > 0 ? add(stand, change, size) : takeBack(stand, size, margin);
        for (const { change: one } of standing.filter((each) => !stand.standing.includes(each))) {
          const known = taken.get(one);
          const by = known !== undefined && placeOf(known.by) > placeOf(change) ? known.by : change;
          taken.set(one, { by, cellIds: new Set([...(known?.cellIds ?? []), cellId]) });
        }
      }
    }
  }
  return changes.map((change) => {
    const back = taken.get(change);
    const isBack = listConcerned(change).every(
      ({ cellId, ratio }) =>
        back?.cellIds.has(cellId) || Math.abs(Math.log(ratio.estimate)) <= margin,
    );
    if (back === undefined || !isBack) return change;
    return { ...change, state: 'restored', restoredBy: back.by.after };
  });
}

/** The cells that a change made slower, which an alert is about; all, if there are none. @param {FollowedChange} change */
export function listConcerned({ cells }) {
  const slower = cells.filter(({ ratio }) => ratio.estimate > 1);
  return slower.length === 0 ? cells : slower;
}

/** @type {(stand: Stand, change: FollowedChange, size: number) => Stand} */
function add({ standing, excess }, change, size) {
  return { standing: [...standing, { change, size }], excess: excess + size };
}

/** @type {(stand: Stand, size: number, margin: number) => Stand} `size`: not above 0 */
function takeBack({ standing, excess: before }, size, margin) {
  const excess = before + size;
  let left = standing;
  // Of equal ones the newest, whose level before it is there again.
  const order = standing.toReversed().toSorted((a, b) => b.size - a.size);
  for (const one of order) {
    const others = left.filter((each) => each !== one);
    const sum = others.reduce((total, each) => total + each.size, 0);
    if (sum >= excess - margin) left = others;
  }
  // What is better than it was before all of them is no credit of later ones.
  return { standing: left, excess: left.length === 0 ? 0 : excess };
}

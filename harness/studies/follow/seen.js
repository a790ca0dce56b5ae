/** How often a branch has asked for confirmations although nothing was found, from its records. */

import { sumOf } from '../../stats/means.js';
import { isDirection } from '../../stats/verdicts.js';

/** @import { Seen } from '../../stats/alarms.js' */
/** @import { FollowedRecord } from './chain.js' */

const YEAR_MS = 365 * 86_400_000;

/**
 * @param {readonly FollowedRecord[]} records of a branch, in any order
 * @param {number} cells of a merge; one that was compared on fewer counts as a part
 * @returns {Seen} in the year up to the newest record
 */
export function countSeen(records, cells) {
  const times = records.map(({ identity }) => Date.parse(identity.createdAt));
  const newest = times.reduce((latest, time) => Math.max(latest, time), -Infinity);
  const recent = records.filter((_, index) => newest - times[index] <= YEAR_MS);
  const merges = recent.filter(({ followed }) => followed.purpose === 'merge');
  // One that has confirmed a change was no false alarm, but for very few.
  const confirmations = recent.filter(
    (record) =>
      record.followed.purpose === 'confirmation' &&
      !record.cells.some(({ verdict }) => isDirection(verdict)),
  );
  return {
    merges: sumOf(merges.map((record) => Math.min(1, record.cells.length / cells))),
    confirmations: confirmations.length,
  };
}

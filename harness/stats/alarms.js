/** How strict the confirmation of a suspected change is, so that false alarms stay as rare as a project wants them. */

import { MAX_PLACED_CELLS } from './placement.js';
import { USUAL } from './usual.js';

/** @import { FollowedChange } from '../formats/types.ts' */

/** Rarer false alarms than any calibration could check need no stricter level. */
const LEAST_LEVEL = 1e-6;
/** A confirmation is never less strict than this, however few merges there are. */
const MOST_LEVEL = 0.05;

/** Confirmations of a suspicion, if the first settles nothing. */
export const ATTEMPTS = 2;
/** Suspicions of a merge by its comparison, by a second one of what that left inconclusive, and by the series of points. */
const SUSPICIONS = 2.1;
/** Merges of the branch itself that count as much as what is expected of any branch. */
const PRIOR_MERGES = 20;

/**
 * Confirmations of a merge that are expected although nothing has changed. With few cells, all directions that placement might
 * explain are measured in other placements, and the error rate of a comparison holds. With more, most are not; where a
 * third of the cells differ by 2.3 % between builds, and a sixth by 5 %, that was found by simulation (decision 0063).
 *
 * @param {number} cells of the comparison
 */
export function expectedConfirmations(cells) {
  return ATTEMPTS * (cells <= MAX_PLACED_CELLS ? SUSPICIONS * USUAL.alpha : 1 + cells / 60);
}

/**
 * What a branch has had so far. `confirmations`: those that have confirmed nothing.
 *
 * @typedef {{ merges: number, confirmations: number }} Seen
 */

/**
 * The level of a confirmation. It measures other processes and placements than the comparison that raised the suspicion,
 * so that both err independently, and false alarms of a year are at most as many as its confirmations without a cause, times
 * this level. How many these are follows from the branch itself, and is guessed where it has few merges.
 *
 * @param {{ falseAlarmsPerYear: number, mergesPerYear: number, cells: number, seen: Seen }} known
 * @returns {number} family-wise error rate over the cells of the confirmation
 */
export function confirmationLevel({ falseAlarmsPerYear, mergesPerYear, cells, seen }) {
  const { merges, confirmations } = seen;
  const perMerge =
    (PRIOR_MERGES * expectedConfirmations(cells) + confirmations) / (PRIOR_MERGES + merges);
  const level = falseAlarmsPerYear / (mergesPerYear * perMerge);
  return Math.min(MOST_LEVEL, Math.max(LEAST_LEVEL, level));
}

/** @type {(change: Pick<FollowedChange, 'state'>) => boolean} whether a confirmation has shown it, whatever came of it */
export function isConfirmed({ state }) {
  return state !== 'suspected' && state !== 'refuted';
}

/** @type {(change: Pick<FollowedChange, 'state' | 'direction'>) => boolean} whether somebody should hear of it */
export function isAlert({ state, direction }) {
  return state === 'open' && direction === 'slower';
}

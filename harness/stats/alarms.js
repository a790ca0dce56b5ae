/** How strict the confirmation of a suspected change is, so that false alarms stay as rare as a project wants them. */

import { USUAL } from './usual.js';

/** @import { FollowedChange } from '../formats/types.ts' */

/** Rarer false alarms than any calibration could check need no stricter level. */
const LEAST_LEVEL = 1e-6;
/** A confirmation is never less strict than this, however few merges there are. */
const MOST_LEVEL = 0.05;

/**
 * Suspicions without a cause, of one merge, that are expected at most: by its comparison, by another one of what that left
 * inconclusive, and by the series of points, a tenth of either.
 */
export const SUSPICIONS_PER_MERGE = 2.1 * USUAL.alpha;

/**
 * The level of a confirmation. It measures other processes and placements than the comparison that raised the suspicion,
 * so that both err independently, and false alarms of a year are at most as many as its merges, times the share of them that
 * is suspected without a cause, times this level.
 *
 * @param {{ falseAlarmsPerYear: number, mergesPerYear: number }} wanted
 * @returns {number} family-wise error rate over the cells of the confirmation
 */
export function confirmationLevel({ falseAlarmsPerYear, mergesPerYear }) {
  const level = falseAlarmsPerYear / (mergesPerYear * SUSPICIONS_PER_MERGE);
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

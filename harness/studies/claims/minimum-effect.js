/** @import { Claim } from '../../formats/types.ts' */

import { findExpectedRatio } from '../../stats/expected-ratio.js';

/** That of a comparison that names none. */
const USUAL_MINIMUM_EFFECT = 0.03;
/** Below it a claim is one of no difference. */
const LEAST = 0.01;
/** Processes a side that are measured at most, as in a comparison that names none. */
const USUAL_PROCESSES = 96;

/**
 * The minimum effect of interest with which claims can be settled: half the smallest difference that
 * was claimed, lest a cell count as settled before that can be told from none.
 *
 * @param {Claim[]} claims
 * @returns {number} share, 0.03 at most
 */
export function chooseMinimumEffect(claims) {
  const sizes = claims
    .filter(({ figure }) => figure.formula !== 'retained-bytes')
    .flatMap(({ figure }) => findExpectedRatio(figure) ?? [])
    .map((ratio) => Math.expm1(Math.abs(Math.log(ratio))))
    .filter((size) => size >= LEAST);
  const half = Math.min(...sizes) / 2;
  return Math.min(USUAL_MINIMUM_EFFECT, Math.round(half * 1000) / 1000);
}

/**
 * @param {Claim[]} claims
 * @returns {boolean} whether they hold a difference that takes more than the usual effort
 */
export function holdSmallDifference(claims) {
  return chooseMinimumEffect(claims) < USUAL_MINIMUM_EFFECT;
}

/**
 * @param {Claim[]} claims
 * @returns {number} processes a side that are measured for them at most
 */
export function chooseMostProcesses(claims) {
  return holdSmallDifference(claims) ? 2 * USUAL_PROCESSES : USUAL_PROCESSES;
}

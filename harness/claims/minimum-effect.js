/** @import { Claim } from '../types.ts' */

import { findExpectedRatio } from './expected-ratio.js';

/** That of a comparison that names none. */
export const USUAL_MINIMUM_EFFECT = 0.03;
/** Below it a claim is one of no difference. */
const LEAST = 0.01;

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

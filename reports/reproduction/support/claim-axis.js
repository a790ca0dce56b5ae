/** Claimed and measured ratios on one log axis. */

/** @import { RatioInterval, ToldClaim } from '../../../harness/formats/types.ts' */
/** @import { PlotAxis } from '../../types.ts' */

import { columnOf, drawRange, makeAxis } from '../../document/range-plot.js';

const MARK_CLAIMED = '◇';
const MARK_BOTH = '◆';

/**
 * An axis with room for what was claimed, with its tolerance, and what was measured.
 *
 * @param {ToldClaim[]} told
 * @param {number} width columns or pixels
 * @returns {PlotAxis | null} null where there is nothing to draw
 */
export function makeClaimAxis(told, width) {
  const intervals = told.flatMap((one) => [findBand(one), one.result.measured ?? undefined]);
  const drawn = intervals.filter((interval) => interval !== undefined);
  return drawn.length === 0 ? null : makeAxis(drawn, 0, width);
}

/**
 * The ratios that count as the claimed one.
 *
 * @param {ToldClaim} told
 * @returns {RatioInterval | undefined} undefined where no figure was reported
 */
export function findBand({ claim: { tolerance }, result: { claimed } }) {
  if (claimed === null) return undefined;
  return { estimate: claimed, low: claimed / tolerance, high: claimed * tolerance };
}

/**
 * One row: `├──●──┤` for what was measured and `◇` for what was claimed, `◆` where both fall on one
 * column.
 *
 * @param {PlotAxis} axis
 * @param {ToldClaim} told
 * @returns {string} `axis.width` columns
 */
export function drawClaim(axis, { result: { claimed, measured } }) {
  const places = [...drawRange(axis, measured ?? undefined)];
  if (claimed !== null) {
    const column = columnOf(axis, claimed);
    places[column] = places[column] === '●' ? MARK_BOTH : MARK_CLAIMED;
  }
  return places.join('');
}

/** Claims about what was measured: a direction, or a ratio. */

/** @import { CellComparison, Claim, ClaimDirection, RatioInterval } from '../../formats/types.ts' */
/** @import { ClaimEvidence } from './judge-claim.js' */
/** @import { Judgement } from './say-verdict.js' */

import { findExpectedRatio } from '../../stats/expected-ratio.js';
import { say } from './say-verdict.js';
import { tellNeed } from './tell-need.js';

/**
 * Holds a direction without a figure against a cell.
 *
 * @param {Claim} claim
 * @param {ClaimDirection} direction
 * @param {ClaimEvidence} evidence
 * @returns {Judgement}
 */
export function judgeDirection(claim, direction, { cell, minimumEffect, processMs, failure }) {
  const doubt = findDoubt(cell);
  if (cell === null || doubt !== null) {
    return say('inconclusive', doubt ?? failure ?? 'it was not measured');
  }
  const { verdict, effect } = cell;
  if (effect === null) return say('inconclusive', failure ?? 'it was not measured');
  if (direction === 'not-slower') {
    const isBelow = effect.ratio.high < 1 + minimumEffect;
    if (verdict === 'faster' || verdict === 'equivalent' || isBelow) return say('reproduced', null);
  }
  const wanted = direction === 'same' ? 'equivalent' : direction;
  if (verdict === wanted) return say('reproduced', null);
  if (verdict === 'inconclusive') return say('inconclusive', tellNeed(claim, { cell, processMs }));
  return say('not-reproduced', `it is ${verdict} here`);
}

/**
 * Reproduced: the interval overlaps the band around the reported ratio that its tolerance makes, is no
 * wider than the band, and, where a difference was reported, excludes 1; where none was, it lies within
 * the band. A wider interval overlaps the band of almost any claim.
 *
 * @param {Claim} claim
 * @param {ClaimEvidence} evidence
 * @param {RatioInterval | null} measured
 * @returns {Judgement}
 */
export function judgeRatio(claim, { cell, minimumEffect, processMs, failure }, measured) {
  const { figure, tolerance } = claim;
  const isTime = figure.formula !== 'retained-bytes';
  const doubt = isTime ? findDoubt(cell) : null;
  if (measured === null || doubt !== null) {
    return say('inconclusive', doubt ?? failure ?? 'it was not measured');
  }
  const expected = /** @type {number} */ (findExpectedRatio(figure));
  const band = { low: expected / tolerance, high: expected * tolerance };
  const isMet = measured.low <= band.high && measured.high >= band.low;
  const isDifference = Math.abs(Math.log(expected)) >= Math.log1p(minimumEffect) / 2;
  const tellOpen = () =>
    cell === null ? 'the interval is too wide' : tellNeed(claim, { cell, processMs, isDifference });
  if (!isDifference) {
    const isWithin = measured.low >= band.low && measured.high <= band.high;
    if (isWithin) return say('reproduced', null);
    return isMet ? say('inconclusive', tellOpen()) : say('not-reproduced', tellOther(measured));
  }
  if (measured.low <= 1 && measured.high >= 1) {
    return isMet
      ? say('inconclusive', tellOpen())
      : say('not-reproduced', 'there may be no difference here');
  }
  if (expected > 1 !== measured.estimate > 1) return say('not-reproduced', tellOther(measured));
  if (!isMet) return say('direction-only', tellSize(expected, measured));
  const isPrecise = measured.high / measured.low <= tolerance ** 2;
  return isPrecise ? say('reproduced', null) : say('inconclusive', tellOpen());
}

/**
 * @param {CellComparison | null} cell
 * @returns {string | null} why its figures prove nothing
 */
function findDoubt(cell) {
  if (cell?.verdict === 'refused') return 'refused: a side does not pass the gate';
  if (cell?.verdict === 'untrusted') return 'the control differs from the baseline';
  return null;
}

/** @param {RatioInterval} measured */
function tellOther({ estimate }) {
  return estimate > 1
    ? 'it is more here, not less or the same'
    : 'it is less here, not more or the same';
}

/**
 * @param {number} expected
 * @param {RatioInterval} measured
 */
function tellSize(expected, { estimate }) {
  const isLarger = Math.abs(Math.log(estimate)) > Math.abs(Math.log(expected));
  return isLarger ? 'a larger effect than was claimed' : 'a smaller effect than was claimed';
}

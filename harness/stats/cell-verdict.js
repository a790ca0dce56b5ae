/** Below this many processes an arm, no verdict is given: the trimmed mean has nothing to trim. */
export const MIN_PROCESSES = 4;

/** Largest share of a direction's effect that a deviating control may have. */
const MAX_CONTROL_SHARE = 1 / 3;

/**
 * An estimate and its interval on the log scale.
 *
 * @typedef {{ estimate: number, low: number, high: number }} LogInterval
 */

/**
 * The verdict that the interval of the log ratio allows. Inside the minimum effect on both sides is
 * `equivalent`, whether or not zero is inside. A direction needs the interval on one side of zero
 * with its far end beyond the minimum effect, and the rejection by the test over all cells.
 *
 * @param {LogInterval} effect candidate minus baseline
 * @param {number} minimumEffect on the log scale, positive
 * @param {boolean} rejected whether the test that is adjusted for looks and cells rejects
 * @returns {'faster' | 'slower' | 'equivalent' | 'inconclusive'}
 */
export function judgeInterval({ low, high }, minimumEffect, rejected) {
  if (low > -minimumEffect && high < minimumEffect) return 'equivalent';
  if (rejected && low > 0) return 'slower';
  if (rejected && high < 0) return 'faster';
  return 'inconclusive';
}

/**
 * Whether the whole interval lies beyond the minimum effect.
 *
 * @param {LogInterval} effect
 * @param {number} minimumEffect on the log scale
 * @returns {boolean}
 */
export function isStrong({ low, high }, minimumEffect) {
  return low > minimumEffect || high < -minimumEffect;
}

/**
 * Whether a value lies outside of an interval that is widened at both ends.
 *
 * @param {LogInterval} interval
 * @param {number} value log scale
 * @param {number} deviation log scale, of either sign: how far a control is off, 0 for not at all
 * @returns {boolean}
 */
export function excludesWidened({ low, high }, value, deviation) {
  const width = Math.abs(deviation);
  return value < low - width || value > high + width;
}

/**
 * Whether a control that is known to deviate could have made this verdict: the verdict falls when
 * the interval is widened by the deviation at both ends, or, for a direction, the deviation exceeds
 * a third of the effect. Decision 0003 has the reasons.
 *
 * @param {'faster' | 'slower' | 'equivalent'} verdict
 * @param {LogInterval} effect
 * @param {number} controlEstimate control minus baseline, log scale
 * @param {number} minimumEffect on the log scale
 * @returns {boolean}
 */
export function couldControlExplain(verdict, effect, controlEstimate, minimumEffect) {
  const deviation = Math.abs(controlEstimate);
  if (verdict === 'equivalent') {
    return effect.high + deviation >= minimumEffect || effect.low - deviation <= -minimumEffect;
  }
  const nearEnd = Math.min(Math.abs(effect.low), Math.abs(effect.high));
  return deviation >= nearEnd || deviation > MAX_CONTROL_SHARE * Math.abs(effect.estimate);
}

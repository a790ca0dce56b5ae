/** Shares of comparisons and small effects, as these reports print them. */

/** @import { InjectedCost, Interval, Proportion } from '../../harness/formats/types.ts' */

import { formatShare, isFigure, NO_FIGURE } from '../../harness/lib/numbers.js';

const NO_BREAK_SPACE = '\u00a0';
const MINUS = '−';

/** @type {(spread: number | null) => string} a standard deviation beyond the noise, of which 0 means that nothing is seen; a dash where unknown */
export function formatSpread(spread) {
  return spread === 0 ? 'none seen' : formatShare(spread);
}

/** @type {(proportion: Proportion) => string} `1.4 %`; a dash without any comparison */
export function formatProportion({ count, of }) {
  return of === 0 ? NO_FIGURE : `${toPercent(count / of)}${NO_BREAK_SPACE}%`;
}

/** @type {(proportion: Proportion) => string} its interval: `0.3–4.1 %` */
export function formatProportionInterval({ of, low, high }) {
  return of === 0 ? NO_FIGURE : `${toPercent(low)}–${toPercent(high)}${NO_BREAK_SPACE}%`;
}

/** @type {(proportion: Proportion) => string} `3 of 212` */
export function formatCountOf({ count, of }) {
  return `${count}${NO_BREAK_SPACE}of${NO_BREAK_SPACE}${of}`;
}

/**
 * @param {Proportion} proportion
 * @returns {string} with its interval: `3 of 212, 0.3–4.1 %`; a dash without any comparison
 */
export function formatEstimate(proportion) {
  if (proportion.of === 0) return NO_FIGURE;
  return `${formatCountOf(proportion)}, ${formatProportionInterval(proportion)}`;
}

/**
 * One decimal below 10 %, where a tenth matters, and one digit where a tenth would be too much.
 * @type {(share: number) => string} without its sign
 */
function toPercent(share) {
  const percent = share * 100;
  if (percent === 0) return '0';
  if (percent < 0.05) return String(Number(percent.toPrecision(1)));
  return percent < 9.95 ? percent.toFixed(1) : percent.toFixed(0);
}

/**
 * @param {number | null | undefined} share a deviation
 * @returns {string} `+0.12 %`, `−3.4 %`, `0.00 %`
 */
export function formatDeviation(share) {
  return isFigure(share) ? `${toSigned(share)}${NO_BREAK_SPACE}%` : NO_FIGURE;
}

/**
 * @param {Interval | null} interval of a deviation
 * @returns {string} `−0.10 to +0.35 %`
 */
export function formatDeviationInterval(interval) {
  if (interval === null || !isFigure(interval.low) || !isFigure(interval.high)) return NO_FIGURE;
  const [low, high] = [toSigned(interval.low), toSigned(interval.high)];
  return [low, 'to', high, '%'].join(NO_BREAK_SPACE);
}

/** @param {number} share */
function toSigned(share) {
  const percent = Math.abs(share) * 100;
  const digits = percent.toFixed(percent < 1 ? 2 : percent < 99.5 ? 1 : 0);
  const sign = Number(digits) === 0 ? '' : share < 0 ? MINUS : '+';
  return sign + digits;
}

/**
 * @param {number | null} effect smallest that is found, as a share
 * @param {number} [largest] that was looked at
 * @returns {string} `1.8 %`, `above 30 %`, or a dash where neither is known
 */
export function formatDetectable(effect, largest) {
  if (effect !== null) return formatShare(effect);
  return largest === undefined ? NO_FIGURE : `above ${formatShare(largest)}`;
}

/**
 * @param {number} injected share
 * @param {InjectedCost['cost']} [cost] its kind
 * @returns {string} `1 %`, `10 % garbage`, and `none` for the baseline under another name
 */
export function formatInjected(injected, cost) {
  if (injected === 0) return 'none';
  return `${formatShare(injected)}${cost === undefined ? '' : ' garbage'}`;
}

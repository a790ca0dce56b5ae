/** Intervals of changes, and shares that may be below zero. */

/** @import { Interval } from '../../harness/formats/types.ts' */

import {
  formatBytesChange,
  formatTimeChange,
  formatShare,
  isFigure,
  NO_FIGURE,
} from '../../harness/lib/numbers.js';

/**
 * @param {Interval | null} change nanoseconds
 * @returns {string} `+1.62 µs to +2.08 µs`
 */
export function formatTimeInterval(change) {
  return formatBounds(change, formatTimeChange);
}

/**
 * @param {Interval | null} change bytes
 * @returns {string} `+1 000 B to +1 048 B`
 */
export function formatBytesInterval(change) {
  return formatBounds(change, formatBytesChange);
}

/**
 * @param {Interval | null} change
 * @param {(value: number) => string} format
 * @returns {string}
 */
function formatBounds(change, format) {
  if (!isFigure(change?.low) || !isFigure(change.high)) return NO_FIGURE;
  return `${format(change.low)} to ${format(change.high)}`;
}

/**
 * @param {number | null | undefined} share of a difference; below 0 where it works against it
 * @returns {string} `54 %`, `−3.1 %`
 */
export function formatSignedShare(share) {
  if (!isFigure(share)) return NO_FIGURE;
  return share < 0 ? `−${formatShare(-share)}` : formatShare(share);
}

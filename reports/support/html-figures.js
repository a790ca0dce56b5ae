/** Changes with their sign: times and bytes per document. */

/** @import { Interval } from '../../harness/types.ts' */

import { formatBytes } from './memory-rows.js';
import { formatShare, formatTime, isFigure, NO_FIGURE } from './numbers.js';

/**
 * A change, with its sign.
 *
 * @param {number | null | undefined} value
 * @param {(size: number) => string} format of a size without a sign
 * @returns {string} `+1.85 µs`, `−350 B`, `0`
 */
function formatSigned(value, format) {
  if (!isFigure(value)) return NO_FIGURE;
  const text = format(Math.abs(value));
  if (!/[1-9]/.test(text)) return '0';
  return `${value < 0 ? '−' : '+'}${text}`;
}

/**
 * @param {number | null | undefined} timeNs
 * @returns {string} `+1.85 µs`, `0` for less than a hundredth of a nanosecond
 */
export function formatTimeChange(timeNs) {
  if (isFigure(timeNs) && Math.abs(timeNs) < 0.995) {
    return formatSigned(timeNs, (size) => `${size.toFixed(2)} ns`);
  }
  return formatSigned(timeNs, formatTime);
}

/**
 * @param {Interval | null} change nanoseconds
 * @returns {string} `+1.62 µs to +2.08 µs`
 */
export function formatTimeInterval(change) {
  if (!isFigure(change?.low) || !isFigure(change.high)) return NO_FIGURE;
  return `${formatTimeChange(change.low)} to ${formatTimeChange(change.high)}`;
}

/**
 * @param {number | null | undefined} bytes
 * @returns {string} `+1 024 B`
 */
export function formatBytesChange(bytes) {
  return formatSigned(bytes, formatBytes);
}

/**
 * @param {Interval | null} change bytes
 * @returns {string} `+1 000 B to +1 048 B`
 */
export function formatBytesInterval(change) {
  if (!isFigure(change?.low) || !isFigure(change.high)) return NO_FIGURE;
  return `${formatBytesChange(change.low)} to ${formatBytesChange(change.high)}`;
}

/**
 * @param {number | null | undefined} share of a difference; below 0 is against it
 * @returns {string} `54 %`, `−3.1 %`
 */
export function formatSignedShare(share) {
  if (!isFigure(share)) return NO_FIGURE;
  return share < 0 ? `−${formatShare(-share)}` : formatShare(share);
}

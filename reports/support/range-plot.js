/**
 * Range plots in text: an interval on a log axis that all rows of a report share, with a mark at 1
 * (no difference) and at the minimum effect on either side.
 *
 * @import { RatioInterval } from '../../harness/formats/types.ts'
 * @import { PlotAxis } from '../types.ts'
 */

import { isFigure } from '../../harness/lib/numbers.js';

const MARK_ONE = '│';
const MARK_MINIMUM = '┊';
/** Bounds further than this from every estimate leave the axis and are drawn as arrows. */
const LARGEST_OVERHANG = 8;
/** An axis that goes further would be all ticks; nothing measured comes near. */
const LARGEST_RATIO = 1e9;

/**
 * An axis on which all these intervals, 1 and the minimum effect have room.
 *
 * @param {(RatioInterval | undefined)[]} intervals missing and incomplete ones are passed over
 * @param {number} minimumEffect share
 * @param {number} width columns
 * @returns {PlotAxis}
 */
export function makeAxis(intervals, minimumEffect, width) {
  const drawn = intervals.filter(isDrawable);
  const centres = [1 / (1 + minimumEffect), 1 + minimumEffect];
  for (const { estimate } of drawn) centres.push(clamp(estimate, 1 / LARGEST_RATIO, LARGEST_RATIO));
  const lowest = Math.min(...centres) / LARGEST_OVERHANG;
  const highest = Math.max(...centres) * LARGEST_OVERHANG;
  const low = Math.min(...centres, ...drawn.map((one) => Math.max(one.low, lowest)));
  const high = Math.max(...centres, ...drawn.map((one) => Math.min(one.high, highest)));
  const margin = (high / low) ** 0.02;
  return { low: low / margin, high: high * margin, width, minimumEffect };
}

/**
 * @param {RatioInterval | undefined} interval
 * @returns {interval is RatioInterval}
 */
function isDrawable(interval) {
  if (interval === undefined || !isFigure(interval.estimate) || interval.estimate <= 0)
    return false;
  return !Number.isNaN(interval.low) && !Number.isNaN(interval.high);
}

/**
 * One row of the plot: `├──●──┤` on the axis with its marks. Bounds beyond the axis become arrows;
 * without figures only the marks are drawn.
 *
 * @param {PlotAxis} axis
 * @param {RatioInterval | undefined} interval
 * @returns {string} `axis.width` columns
 */
export function drawRange(axis, interval) {
  const places = new Array(axis.width).fill(' ');
  places[columnOf(axis, 1 / (1 + axis.minimumEffect))] = MARK_MINIMUM;
  places[columnOf(axis, 1 + axis.minimumEffect)] = MARK_MINIMUM;
  places[columnOf(axis, 1)] = MARK_ONE;
  if (isDrawable(interval)) {
    const first = columnOf(axis, interval.low);
    const last = columnOf(axis, interval.high);
    places.fill('─', first, last + 1);
    places[first] = interval.low < axis.low ? '◂' : '├';
    places[last] = interval.high > axis.high ? '▸' : '┤';
    places[columnOf(axis, interval.estimate)] = '●';
  }
  return places.join('');
}

/**
 * The column of a ratio. What is not 1 never falls on the mark at 1, however coarse the axis: an
 * interval that touches the mark always holds 1.
 *
 * @param {PlotAxis} axis
 * @param {number} ratio
 * @returns {number} column from 0, kept within the axis
 */
export function columnOf(axis, ratio) {
  const last = axis.width - 1;
  const one = clamp(roundedColumn(axis, 1), 1, last - 1);
  if (ratio === 1) return one;
  const column = roundedColumn(axis, ratio);
  return ratio < 1 ? clamp(column, 0, one - 1) : clamp(column, one + 1, last);
}

/**
 * @param {PlotAxis} axis
 * @param {number} ratio
 * @returns {number}
 */
function roundedColumn(axis, ratio) {
  const share = Math.log(ratio / axis.low) / Math.log(axis.high / axis.low);
  return Math.round(share * (axis.width - 1));
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 * @returns {number}
 */
function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

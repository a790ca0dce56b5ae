/**
 * Range plots in text: an interval on a log axis that all rows of a report share, with a mark at 1
 * (no difference) and at the minimum effect on either side. Ticks of log axes.
 *
 * @import { RatioInterval } from '../../harness/formats/types.ts'
 * @import { PlottedRange } from './model.ts'
 */

import { pairs, range, ticks as evenTicks } from 'd3-array';
import { isFigure } from '../../harness/lib/numbers.js';

const MARK_ONE = '│';
const MARK_MINIMUM = '┊';
/** Bounds further than this from every estimate leave the axis and are drawn as arrows. */
const MAX_OVERHANG = 8;
/** An axis that went further would be all ticks; nothing measured comes near. */
const MAX_RATIO = 1e9;
const MAX_LABEL_WIDTH = 6;
const TICK_GAP = 3;

/**
 * A log axis of ratios that all ranges of a plot share.
 *
 * @typedef {object} PlotAxis
 * @property {number} low
 * @property {number} high
 * @property {number} width columns, or pixels
 * @property {number} minimumEffect share: 0.03 is 3 %
 */

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
  for (const { estimate } of drawn) centres.push(clamp(estimate, 1 / MAX_RATIO, MAX_RATIO));
  const lowest = Math.min(...centres) / MAX_OVERHANG;
  const highest = Math.max(...centres) * MAX_OVERHANG;
  const low = Math.min(...centres, ...drawn.map((one) => Math.max(one.low, lowest)));
  const high = Math.max(...centres, ...drawn.map((one) => Math.min(one.high, highest)));
  const margin = (high / low) ** 0.02;
  return { low: low / margin, high: high * margin, width, minimumEffect };
}

/** @type {(interval: RatioInterval | undefined) => interval is RatioInterval} */
function isDrawable(interval) {
  if (interval === undefined || !isFigure(interval.estimate) || interval.estimate <= 0)
    return false;
  return !Number.isNaN(interval.low) && !Number.isNaN(interval.high);
}

/**
 * The axis of a column of plots.
 *
 * @param {PlottedRange[]} plotted a row each
 * @param {{ minimumEffect?: number | undefined }} column share
 * @param {number} width columns or pixels
 * @returns {PlotAxis}
 */
export function axisOf(plotted, { minimumEffect = 0 }, width) {
  const all = plotted.flatMap(({ range, expected }) => [range, expected]);
  return makeAxis(all, minimumEffect, width);
}

/**
 * One row of the plot: `├──●──┤` on the axis with its marks, `◇` where the estimate was expected,
 * `◆` where both are. Bounds beyond the axis become arrows; without figures only the marks are
 * drawn.
 * @type {(axis: PlotAxis, plotted: PlottedRange) => string} `axis.width` columns
 */
export function drawRange(axis, { range: interval, expected }) {
  const places = new Array(axis.width).fill(' ');
  if (axis.minimumEffect > 0) {
    places[columnOf(axis, 1 / (1 + axis.minimumEffect))] = MARK_MINIMUM;
    places[columnOf(axis, 1 + axis.minimumEffect)] = MARK_MINIMUM;
  }
  places[columnOf(axis, 1)] = MARK_ONE;
  if (isDrawable(interval)) {
    const first = columnOf(axis, interval.low);
    const last = columnOf(axis, interval.high);
    places.fill('─', first, last + 1);
    places[first] = interval.low < axis.low ? '◂' : '├';
    places[last] = interval.high > axis.high ? '▸' : '┤';
    places[columnOf(axis, interval.estimate)] = '●';
  }
  if (expected !== undefined) {
    const column = columnOf(axis, expected.estimate);
    places[column] = places[column] === '●' ? '◆' : '◇';
  }
  return places.join('');
}

/**
 * The column of a ratio. What is not 1 never falls on the mark at 1, however coarse the axis: an
 * interval that touches the mark always holds 1.
 * @type {(axis: PlotAxis, ratio: number) => number} column from 0, kept within the axis
 */
function columnOf(axis, ratio) {
  const last = axis.width - 1;
  const one = clamp(roundedColumn(axis, 1), 1, last - 1);
  if (ratio === 1) return one;
  const column = roundedColumn(axis, ratio);
  return ratio < 1 ? clamp(column, 0, one - 1) : clamp(column, one + 1, last);
}

/** @type {(axis: PlotAxis, ratio: number) => number} */
function roundedColumn(axis, ratio) {
  const share = Math.log(ratio / axis.low) / Math.log(axis.high / axis.low);
  return Math.round(share * (axis.width - 1));
}

/** @type {(value: number, low: number, high: number) => number} */
function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

/**
 * The labels above a plot: as many round ratios as stand apart, 1 always among them.
 * @type {(axis: PlotAxis) => string} `axis.width` columns
 */
export function drawTicks(axis) {
  const labels = placeRatioTicks(axis, (ticks) => placeLabels(axis, ticks));
  const line = labels.reduce((drawn, { start, label }) => drawn.padEnd(start) + label, '');
  return line.padEnd(axis.width);
}

/**
 * @param {PlotAxis} axis
 * @param {number[]} ticks
 * @returns {{ start: number, label: string }[] | null} null where labels would touch
 */
function placeLabels(axis, ticks) {
  const labels = ticks
    .map((tick) => {
      const label = String(tick);
      return { label, start: columnOf(axis, tick) - Math.floor((label.length - 1) / 2) };
    })
    .filter(
      ({ label, start }) =>
        label.length <= MAX_LABEL_WIDTH && start >= 0 && start + label.length <= axis.width,
    );
  const isTight = pairs(labels).some(
    ([one, next]) => next.start < one.start + one.label.length + TICK_GAP,
  );
  return isTight ? null : labels;
}

/** Mantissas of ticks that repeat in every decade. */
const FAMILIES = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]];
/** How many evenly spaced ticks a narrow axis may have, about. */
const COUNTS = [2, 4, 8, 15, 30];

/**
 * @param {number} low above 0
 * @param {number} high
 * @param {number[]} [mantissas]
 * @returns {number[]} within the bounds, ascending
 */
export function logTicks(low, high, mantissas = [1, 2, 5]) {
  const decades = range(Math.floor(Math.log10(low)), Math.floor(Math.log10(high)) + 1);
  return decades
    .flatMap((decade) => mantissas.map((mantissa) => Number(`${mantissa}e${decade}`)))
    .filter((tick) => tick >= low && tick <= high);
}

/**
 * As many ticks of a log axis of ratios as have room, with 1 among them.
 *
 * @template Label
 * @param {{ low: number, high: number }} axis
 * @param {(ticks: number[]) => Label[] | null} place gives the labels that fit on the axis; null
 *   where they would touch
 * @returns {Label[]}
 */
export function placeRatioTicks(axis, place) {
  const choices = listTickChoices(axis).filter((ticks) => ticks.includes(1));
  return placeTicks([[1], ...choices], place);
}

/** @type {(axis: { low: number, high: number }) => number[][]} round ratios of a log axis, in several densities */
export function listTickChoices({ low, high }) {
  return [
    ...FAMILIES.map((family) => logTicks(low, high, family)),
    ...COUNTS.map((count) => evenTicks(low, high, count)),
  ];
}

/**
 * @template Label
 * @param {number[][]} choices
 * @param {(ticks: number[]) => Label[] | null} place as that of `placeRatioTicks`
 * @returns {Label[]} the most that have room
 */
export function placeTicks(choices, place) {
  return choices
    .map((ticks) => place(ticks) ?? [])
    .reduce((best, placed) => (placed.length > best.length ? placed : best));
}

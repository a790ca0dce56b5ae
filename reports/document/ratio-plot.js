/** Ratios with their intervals as small plots on one log axis, a row each. */

/** @import { RatioInterval } from '../../harness/formats/types.ts' */
/** @import { PlottedRange } from './model.ts' */
/** @import { PlotAxis } from './range-plot.js' */
/** @import { Markup } from './markup.js' */

import * as Plot from '@observablehq/plot';
import { pairs } from 'd3-array';
import { NOTHING } from './markup.js';
import { placeRatioTicks } from './range-plot.js';
import { drawPlot } from './plot.js';
import { formatInterval, formatRatio, isFigure } from '../../harness/lib/numbers.js';

const ROW_HEIGHT = 22;
/** Pixels on either end of the axis. */
const INSET = 6;
/** Pixels of a character of a label, and between two labels. */
const CHARACTER_WIDTH = 6;
const LABEL_GAP = 9;

/**
 * One interval, with marks at 1 and at the minimum effect, over the band in which it was expected.
 * What lies beyond the axis is drawn as an arrow.
 *
 * @param {PlotAxis} axis `width` in pixels
 * @param {PlottedRange} plotted
 * @returns {Markup} nothing without a range
 */
export function drawRatio(axis, { range, expected, tone = 'plain' }) {
  const isMeasured = range !== undefined && isFigure(range.estimate) && range.estimate > 0;
  const parts = [
    ...(expected === undefined ? [] : [`claimed ${formatRatio(expected.estimate)}`]),
    ...(isMeasured
      ? [`ratio ${formatRatio(range.estimate)}, interval ${formatInterval(range)}`]
      : []),
  ];
  if (parts.length === 0) return NOTHING;
  return drawPlot(parts.join('; '), {
    ...frameOf(axis, ROW_HEIGHT),
    marks: [
      Plot.ruleX([1], { className: 'one' }),
      Plot.ruleX(
        axis.minimumEffect > 0 ? [1 / (1 + axis.minimumEffect), 1 + axis.minimumEffect] : [],
        {
          className: 'minimum',
        },
      ),
      ...(expected === undefined ? [] : drawBand(axis, expected)),
      ...(isMeasured ? drawInterval(axis, range, tone) : []),
    ],
  });
}

/** @type {(axis: PlotAxis, expected: RatioInterval) => Plot.Markish[]} */
function drawBand(axis, { estimate, low, high }) {
  const clip = (/** @type {number} */ ratio) => Math.min(axis.high, Math.max(axis.low, ratio));
  const heights = { y1: -0.75, y2: 0.75 };
  return [
    Plot.rect([clip(low)], { x1: Number, x2: clip(high), ...heights, className: 'band expected' }),
    Plot.ruleX([clip(estimate)], { ...heights, className: 'claimed' }),
  ];
}

/**
 * @param {PlotAxis} axis
 * @param {RatioInterval} range
 * @param {string} tone class of the estimate
 * @returns {Plot.Markish[]}
 */
function drawInterval(axis, { estimate, low, high }, tone) {
  const arrows = [
    ...(low < axis.low ? [{ x: axis.low, rotate: -90 }] : []),
    ...(high > axis.high ? [{ x: axis.high, rotate: 90 }] : []),
  ];
  const [x1, x2] = [Math.max(low, axis.low), Math.min(high, axis.high)];
  return [
    Plot.ruleY([0], { x1, x2, className: `interval ${tone}` }),
    Plot.dot([estimate], { x: Number, y: 0, r: 4, className: `estimate ${tone}` }),
    Plot.dot(arrows, {
      x: 'x',
      y: 0,
      rotate: 'rotate',
      symbol: 'triangle',
      r: 3,
      className: `estimate ${tone}`,
    }),
  ];
}

/**
 * The labels of the axis, for the head of the column.
 *
 * @param {PlotAxis} axis `width` in pixels
 * @returns {Markup}
 */
export function drawRatioTicks(axis) {
  return drawPlot('axis of the ratios', {
    ...frameOf(axis, 16),
    marks: [
      Plot.text(
        placeRatioTicks(axis, (ticks) => fitTicks(axis, ticks)),
        { x: Number, y: 0, text: String, className: 'tick' },
      ),
    ],
  });
}

/** @type {(axis: PlotAxis, height: number) => Plot.PlotOptions} */
function frameOf({ low, high, width }, height) {
  return {
    width,
    height,
    margin: 0,
    axis: null,
    x: { type: 'log', domain: [low, high], range: [INSET, width - INSET] },
    y: { domain: [-1, 1], range: [height, 0] },
  };
}

/**
 * @param {PlotAxis} axis
 * @param {number[]} ticks
 * @returns {number[] | null} those whose labels are not cut, and 1; null where labels would touch
 */
function fitTicks({ low, high, width }, ticks) {
  const placed = ticks
    .map((tick) => {
      const share = Math.log(tick / low) / Math.log(high / low);
      const half = (String(tick).length * CHARACTER_WIDTH) / 2;
      const centre = INSET + share * (width - 2 * INSET);
      return { tick, start: centre - half, end: centre + half };
    })
    .filter(({ tick, start, end }) => tick === 1 || (start >= 0 && end <= width));
  const isTight = pairs(placed).some(([one, next]) => next.start < one.end + LABEL_GAP);
  return isTight ? null : placed.map(({ tick }) => tick);
}

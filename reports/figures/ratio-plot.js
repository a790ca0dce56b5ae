/** Ratios with their intervals as small plots on one log axis, a row each. */

/** @import { RatioInterval } from '../../harness/formats/types.ts' */
/** @import { PlottedRange } from '../document/model.ts' */
/** @import { PlotAxis } from '../document/range-plot.js' */
/** @import { Markup } from '../document/markup.js' */

import * as Plot from '@observablehq/plot';
import { NOTHING } from '../document/markup.js';
import { drawPlot } from './plot.js';
import { formatInterval, formatRatio, isFigure } from '../../harness/lib/numbers.js';

const ROW_HEIGHT = 22;
/** Pixels between labels of an axis. */
const TICK_GAP = 28;
/** Ratios that make good ticks, those that say most first. */
const TICKS = [
  1, 2, 0.5, 5, 0.2, 10, 0.1, 100, 0.01, 3, 0.3, 1.5, 0.7, 1.2, 0.8, 1.1, 0.9, 1.05, 0.95, 1.02,
  0.98,
];

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

/**
 * @param {PlotAxis} axis
 * @param {RatioInterval} expected
 * @returns {Plot.Markish[]}
 */
function drawBand(axis, { estimate, low, high }) {
  const clip = (/** @type {number} */ ratio) => Math.min(axis.high, Math.max(axis.low, ratio));
  const heights = { y1: -0.75, y2: 0.75 };
  return [
    Plot.rect([clip(low)], { x1: Number, x2: clip(high), ...heights, className: 'band' }),
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
    marks: [Plot.text(chooseTicks(axis), { x: Number, y: 0, text: String, className: 'tick' })],
  });
}

/**
 * @param {PlotAxis} axis
 * @param {number} height
 * @returns {Plot.PlotOptions}
 */
function frameOf({ low, high, width }, height) {
  return {
    width,
    height,
    margin: 0,
    axis: null,
    x: { type: 'log', domain: [low, high], range: [6, width - 6] },
    y: { domain: [-1, 1], range: [height, 0] },
  };
}

/**
 * @param {PlotAxis} axis
 * @returns {number[]} as many as stand apart, 1 always among them
 */
function chooseTicks({ low, high, width }) {
  const place = (/** @type {number} */ ratio) =>
    (Math.log(ratio / low) / Math.log(high / low)) * (width - 12);
  /** @type {number[]} */
  const chosen = [];
  for (const tick of TICKS) {
    const isInside = place(tick) > 4 && place(tick) < width - 20;
    if (!isInside && tick !== 1) continue;
    if (chosen.every((other) => Math.abs(place(other) - place(tick)) >= TICK_GAP)) {
      chosen.push(tick);
    }
  }
  return chosen;
}

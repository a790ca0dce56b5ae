/** Ratios with their intervals as small plots on one log axis, a row each. */

/** @import { RatioInterval } from '../../harness/formats/types.ts' */
/** @import { PlotAxis } from '../types.ts' */
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
 * One interval, with marks at 1 and at the minimum effect. What lies beyond the axis is drawn as an
 * arrow.
 *
 * @param {PlotAxis} axis `width` in pixels
 * @param {RatioInterval | undefined} ratio
 * @param {string} tone class of the estimate
 * @returns {Markup} nothing without a figure
 */
export function drawRatio(axis, ratio, tone) {
  if (ratio === undefined || !isFigure(ratio.estimate) || ratio.estimate <= 0) return NOTHING;
  const low = Math.max(ratio.low, axis.low);
  const high = Math.min(ratio.high, axis.high);
  const arrows = [
    ...(ratio.low < axis.low ? [{ x: axis.low, rotate: -90 }] : []),
    ...(ratio.high > axis.high ? [{ x: axis.high, rotate: 90 }] : []),
  ];
  return drawPlot(`ratio ${formatRatio(ratio.estimate)}, interval ${formatInterval(ratio)}`, {
    ...frameOf(axis, ROW_HEIGHT),
    marks: [
      Plot.ruleX([1], { className: 'one' }),
      Plot.ruleX([1 / (1 + axis.minimumEffect), 1 + axis.minimumEffect], { className: 'minimum' }),
      Plot.ruleY([0], { x1: low, x2: high, className: `interval ${tone}` }),
      Plot.dot([ratio.estimate], { x: Number, y: 0, r: 4, className: `estimate ${tone}` }),
      Plot.dot(arrows, {
        x: 'x',
        y: 0,
        rotate: 'rotate',
        symbol: 'triangle',
        r: 3,
        className: `estimate ${tone}`,
      }),
    ],
  });
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

/** Changes of time as bars with their intervals, a row each on one axis. */

/** @import { Interval } from '../../harness/formats/types.ts' */
/** @import { Markup } from '../document/markup.js' */

import * as Plot from '@observablehq/plot';
import { formatTimeChange } from '../../harness/lib/numbers.js';
import { drawPlot } from '../document/plot.js';

/** Pixels. */
const WIDTH = 140;
const HEIGHT = 18;

/** Nanoseconds. @typedef {{ low: number, high: number }} BarAxis */

/**
 * @param {Interval[]} changes nanoseconds
 * @returns {BarAxis} with room for 0
 */
export function makeBarAxis(changes) {
  const bounds = changes.flatMap(({ estimate, low, high }) => [estimate, low, high]);
  return { low: Math.min(0, ...bounds), high: Math.max(0, ...bounds) };
}

/**
 * @param {Interval} change nanoseconds
 * @param {BarAxis} axis
 * @returns {Markup}
 */
export function drawBar({ estimate, low, high }, axis) {
  const tone = estimate > 0 ? 'bad' : 'good';
  return drawPlot(formatTimeChange(estimate), {
    width: WIDTH,
    height: HEIGHT,
    margin: 0,
    axis: null,
    x: {
      domain: axis.low === axis.high ? [-1, 1] : [axis.low, axis.high],
      range: [3, WIDTH - 3],
    },
    y: { domain: [-1, 1], range: [HEIGHT, 0] },
    marks: [
      Plot.rect([0], { x1: 0, x2: estimate, y1: -0.6, y2: 0.6, className: `bar ${tone}` }),
      Plot.ruleY([0], { x1: low, x2: high, className: 'whisker' }),
      Plot.ruleX([0], { className: 'one' }),
    ],
  });
}

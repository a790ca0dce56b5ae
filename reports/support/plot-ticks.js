/** Round numbers above a range plot. */

/** @import { PlotAxis } from '../types.ts' */

import { columnOf } from './range-plot.js';

/** Mantissas of ticks that repeat in every decade, for wide axes. */
const TICK_FAMILIES = [
  [1],
  [1, 3],
  [1, 2, 5],
  [1, 1.5, 2, 3, 5, 7],
  [1, 1.2, 1.4, 1.6, 2, 2.5, 3, 4, 5, 6, 7, 8, 9],
];
/** Distances of evenly spaced ticks, for narrow axes. */
const TICK_STEPS = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const LARGEST_LABEL_WIDTH = 6;
const TICK_GAP = 3;

/**
 * The labels above a plot: as many round ratios as stand apart, 1 always among them.
 *
 * @param {PlotAxis} axis
 * @returns {string} `axis.width` columns
 */
export function drawTicks(axis) {
  const choices = [
    ...TICK_FAMILIES.map((family) => decadeTicks(axis, family)),
    ...TICK_STEPS.map((step) => steppedTicks(axis, step)),
  ];
  let best = placeTicks(axis, [1]);
  for (const choice of choices) {
    const placed = placeTicks(axis, choice);
    if (placed !== null && placed.count > (best?.count ?? 0)) best = placed;
  }
  return best?.line ?? ' '.repeat(axis.width);
}

/**
 * @param {PlotAxis} axis
 * @param {number[]} family mantissas
 * @returns {number[]}
 */
function decadeTicks(axis, family) {
  const ticks = [];
  const lastDecade = Math.floor(Math.log10(axis.high));
  for (let decade = Math.floor(Math.log10(axis.low)); decade <= lastDecade; decade++) {
    for (const mantissa of family) ticks.push(Number(`${mantissa}e${decade}`));
  }
  return ticks;
}

/**
 * @param {PlotAxis} axis
 * @param {number} step
 * @returns {number[]}
 */
function steppedTicks(axis, step) {
  const first = Math.ceil(axis.low / step);
  const last = Math.floor(axis.high / step);
  if (last - first > axis.width) return [];
  const ticks = [];
  for (let index = first; index <= last; index++) ticks.push(Number((index * step).toPrecision(6)));
  return ticks;
}

/**
 * @param {PlotAxis} axis
 * @param {number[]} ticks
 * @returns {{ line: string, count: number } | null} null where labels would touch or 1 is missing
 */
function placeTicks(axis, ticks) {
  let line = '';
  let count = 0;
  for (const tick of ticks) {
    const label = String(tick);
    if (tick < axis.low || tick > axis.high || label.length > LARGEST_LABEL_WIDTH) continue;
    const start = columnOf(axis, tick) - Math.floor((label.length - 1) / 2);
    if (start < 0 || start + label.length > axis.width) continue;
    if (count > 0 && start < line.length + TICK_GAP) return null;
    line = line.padEnd(start) + label;
    count++;
  }
  if (!ticks.includes(1)) return null;
  return { line: line + ' '.repeat(axis.width - line.length), count };
}

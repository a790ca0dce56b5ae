/** The vertical axis of plots of ratios: what it spans, and where its labels stand. */

/** @import { RatioInterval } from '../../harness/formats/types.ts' */

import { pairs } from 'd3-array';
import { listTickChoices, placeTicks } from '../document/range-plot.js';

/** Between two labels of the axis; pixels. */
const TICK_GAP = 26;
/** The axis shows at least this, as a share on either side, so that noise does not look like a trend. */
const MIN_REACH = 0.05;
/** An interval that is wider than the others by this factor leaves the axis. */
const MAX_OVERHANG = 1.5;

/** @type {(ratios: RatioInterval[]) => [number, number]} the span of a log axis of at least one ratio */
export function findDomain(ratios) {
  const estimates = ratios.map(({ estimate }) => estimate);
  const lowest = Math.min(...estimates) / MAX_OVERHANG;
  const highest = Math.max(...estimates) * MAX_OVERHANG;
  const low = Math.min(...ratios.map((ratio) => Math.max(ratio.low, lowest)));
  const high = Math.max(...ratios.map((ratio) => Math.min(ratio.high, highest)));
  const centre = Math.sqrt(low * high);
  return [Math.min(low, centre * (1 - MIN_REACH)), Math.max(high, centre * (1 + MIN_REACH))];
}

/** @type {(domain: [number, number], height: number) => number[]} ratios whose labels stand apart on as many pixels */
export function chooseTicks([low, high], height) {
  const perLog = height / Math.log(high / low);
  return placeTicks(listTickChoices({ low, high }), (ticks) =>
    pairs(ticks).every(([one, next]) => Math.log(next / one) * perLog >= TICK_GAP) ? ticks : null,
  );
}

/** @type {(ratio: number) => string} label of a tick */
export function formatTick(ratio) {
  return String(Number(ratio.toPrecision(4)));
}

/** Of a character of a label above the plot, between two labels, and of a line of them; pixels. */
const CHARACTER_WIDTH = 8.5;
const LABEL_GAP = 4;
export const LABEL_HEIGHT = 15;

/**
 * Places labels in as many lines as they need not to overlap.
 *
 * @template {{ x: number, text: string }} Label `x` of its middle, in pixels
 * @param {Label[]} labels
 * @returns {(Label & { line: number })[]} from left to right; `line`: from 0, the lowest
 */
export function stackLabels(labels) {
  /** Where each line is free again. @type {number[]} */
  const ends = [];
  return labels
    .toSorted((a, b) => a.x - b.x)
    .map((label) => {
      const half = (label.text.length * CHARACTER_WIDTH) / 2;
      const free = ends.findIndex((end) => end <= label.x - half);
      const line = free === -1 ? ends.length : free;
      ends[line] = label.x + half + LABEL_GAP;
      return { ...label, line };
    });
}

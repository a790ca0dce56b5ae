/** One cell over versions or commits: a line with intervals, the levels between changes, and the changes. */

/** @import { RatioInterval } from '../../harness/formats/types.ts' */
/** @import { Markup } from '../document/markup.js' */

import * as Plot from '@observablehq/plot';
import { escapeControl } from '../../harness/lib/escape.js';
import { formatChange, formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { drawPlot } from '../document/plot.js';
import { chooseTicks, findDomain, formatTick, LABEL_HEIGHT, stackLabels } from './ratio-axis.js';

// Pixels. Texts have room at the size that they have on a phone, where the plot is narrower.
const WIDTH = 520;
/** Between the axes. */
const HEIGHT = 176;
const MARGIN_TOP = 26;
const MARGIN_RIGHT = 12;
const MARGIN_LEFT = 46;
/** Below the axis: of a tick, and of each character of a rotated name. */
const TICK_HEIGHT = 20;
const CHARACTER_HEIGHT = 5.2;
/** Names below the axis, at most. */
const MAX_NAMES = 14;
const MAX_CHARACTERS = 12;
/** @typedef {{ index: number, name: string, ratio: RatioInterval, level: number }} DrawnPoint */
/** @typedef {{ from: number, to: number, ratio: number, tone: 'good' | 'bad' | 'plain' }} DrawnChange between two indices */

/**
 * @param {string} label what a screen reader says of it
 * @param {string[]} names of all points, measured or not
 * @param {DrawnPoint[]} points that were measured, ascending; at least one
 * @param {DrawnChange[]} changes
 * @returns {Markup}
 */
export function drawTrend(label, names, points, changes) {
  const [low, high] = findDomain(points.map(({ ratio }) => ratio));
  const clip = (/** @type {number} */ ratio) => Math.min(high, Math.max(low, ratio));
  const half = 0.5;
  const named = placeLabels(changes, names.length);
  const lines = Math.max(0, ...named.map(({ line }) => line));
  const below = chooseNames(points, names.length);
  const longest = Math.max(...below.map((index) => shorten(names[index]).length));
  const marginTop = MARGIN_TOP + lines * LABEL_HEIGHT;
  const marginBottom = TICK_HEIGHT + longest * CHARACTER_HEIGHT;
  const levels = chooseTicks([low, high], HEIGHT);
  return drawPlot(label, {
    width: WIDTH,
    height: marginTop + HEIGHT + marginBottom,
    ...{ marginTop, marginRight: MARGIN_RIGHT, marginBottom, marginLeft: MARGIN_LEFT },
    x: { domain: [-half, names.length - half], label: null },
    // Its label is in the title above the plot, where it does not meet names of changes.
    y: { type: 'log', domain: [low, high], label: null },
    marks: [
      Plot.gridY(levels, { className: 'grid' }),
      // With a tickFormat, Plot leaves some labels of log axes out.
      Plot.axisY(levels, { text: formatTick }),
      Plot.axisX(below, { tickFormat: (index) => shorten(names[index]), tickRotate: -40 }),
      Plot.rect(points, {
        x1: ({ index }) => index - half,
        x2: ({ index }) => index + half,
        y1: low,
        y2: high,
        title: (point) => describePoint(point),
        className: 'hover',
      }),
      ...named.flatMap(({ at, text, tone, line }) => [
        Plot.ruleX([at], { className: `change ${tone}` }),
        Plot.text([text], {
          x: at,
          y: high,
          dy: -10 - line * LABEL_HEIGHT,
          className: `change-name ${tone}`,
        }),
      ]),
      Plot.line(points, {
        x: 'index',
        y: ({ level }) => clip(level),
        curve: 'step',
        className: 'level',
      }),
      Plot.line(points, {
        x: 'index',
        y: ({ ratio }) => clip(ratio.estimate),
        className: 'course candidate',
      }),
      Plot.ruleX(points, {
        x: 'index',
        y1: ({ ratio }) => clip(ratio.low),
        y2: ({ ratio }) => clip(ratio.high),
        className: 'interval',
      }),
      Plot.dot(points, {
        x: 'index',
        y: ({ ratio }) => clip(ratio.estimate),
        r: 3,
        className: 'dot candidate',
      }),
      // What leaves the axis has an arrow at its edge.
      Plot.dot(
        points.flatMap(({ index, ratio }) => [
          ...(ratio.low < low ? [{ index, y: low, rotate: 180 }] : []),
          ...(ratio.high > high ? [{ index, y: high, rotate: 0 }] : []),
        ]),
        {
          x: 'index',
          y: 'y',
          rotate: 'rotate',
          symbol: 'triangle',
          r: 4,
          className: 'estimate',
        },
      ),
    ],
  });
}

/**
 * Labels of changes, in as many lines as they need not to overlap.
 *
 * @param {DrawnChange[]} changes
 * @param {number} count of all points
 * @returns {{ at: number, text: string, tone: string, line: number }[]} `line`: from 0, the lowest
 */
function placeLabels(changes, count) {
  const pointWidth = (WIDTH - MARGIN_LEFT - MARGIN_RIGHT) / count;
  const labels = changes.map(({ from, to, ratio, tone }) => {
    const at = (from + to) / 2;
    return { at, x: at * pointWidth, text: formatChange(ratio).change, tone };
  });
  return stackLabels(labels);
}

/**
 * @param {DrawnPoint[]} points
 * @param {number} count of all points
 * @returns {number[]} indices of the points whose names have room
 */
function chooseNames(points, count) {
  const gap = count / MAX_NAMES;
  /** @type {number[]} */
  const chosen = [];
  for (const { index } of points.toReversed()) {
    if (chosen.every((other) => Math.abs(other - index) >= gap)) chosen.push(index);
  }
  return chosen;
}

/** @param {string} name */
function shorten(name) {
  const shown = escapeControl(name);
  return shown.length > MAX_CHARACTERS ? `${shown.slice(0, MAX_CHARACTERS - 1)}…` : shown;
}

/** @param {DrawnPoint} point */
function describePoint({ name, ratio }) {
  return `${escapeControl(name)}\n×${formatRatio(ratio.estimate)}, 95 % interval ${formatInterval(ratio)}`;
}

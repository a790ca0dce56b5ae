/** One cell over versions or commits: a line with intervals, the levels between changes, and the changes. */

/** @import { RatioInterval } from '../../harness/formats/types.ts' */
/** @import { Markup } from '../document/markup.js' */

import * as Plot from '@observablehq/plot';
import { pairs } from 'd3-array';
import { escapeControl } from '../../harness/lib/escape.js';
import { formatChange, formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { drawPlot } from '../document/plot.js';
import { listTickChoices, placeTicks } from '../document/range-plot.js';

// Pixels. Texts have room at the size that they have on a phone, where the plot is narrower.
const WIDTH = 520;
/** Between the axes. */
const HEIGHT = 176;
const MARGIN_TOP = 26;
const MARGIN_RIGHT = 12;
const MARGIN_LEFT = 46;
/** Of a character of the name of a change, between two names, and of a line of them. */
const CHARACTER_WIDTH = 8.5;
const LABEL_GAP = 4;
const LABEL_HEIGHT = 15;
/** Below the axis: of a tick, and of each character of a rotated name. */
const TICK_HEIGHT = 20;
const CHARACTER_HEIGHT = 5.2;
/** Between two labels of the vertical axis. */
const TICK_GAP = 26;
/** Names below the axis, at most. */
const MAX_NAMES = 14;
const MAX_CHARACTERS = 12;
/** The axis shows at least this, as a share on either side, so that noise does not look like a trend. */
const MIN_REACH = 0.05;
/** An interval that is wider than the others by this factor leaves the axis. */
const MAX_OVERHANG = 1.5;

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
  const [low, high] = findDomain(points);
  const clip = (/** @type {number} */ ratio) => Math.min(high, Math.max(low, ratio));
  const half = 0.5;
  const named = placeLabels(changes, names.length);
  const lines = Math.max(0, ...named.map(({ line }) => line));
  const below = chooseNames(points, names.length);
  const longest = Math.max(...below.map((index) => shorten(names[index]).length));
  const marginTop = MARGIN_TOP + lines * LABEL_HEIGHT;
  const marginBottom = TICK_HEIGHT + longest * CHARACTER_HEIGHT;
  const levels = chooseTicks(low, high);
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

/** @type {(low: number, high: number) => number[]} ratios whose labels stand apart */
function chooseTicks(low, high) {
  const perLog = HEIGHT / Math.log(high / low);
  return placeTicks(listTickChoices({ low, high }), (ticks) =>
    pairs(ticks).every(([one, next]) => Math.log(next / one) * perLog >= TICK_GAP) ? ticks : null,
  );
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
  /** Where each line is free again, in pixels. @type {number[]} */
  const ends = [];
  return changes
    .map(({ from, to, ratio, tone }) => ({
      at: (from + to) / 2,
      text: formatChange(ratio).change,
      tone,
    }))
    .sort((a, b) => a.at - b.at)
    .map((label) => {
      const half = (label.text.length * CHARACTER_WIDTH) / 2;
      const free = ends.findIndex((end) => end <= label.at * pointWidth - half);
      const line = free === -1 ? ends.length : free;
      ends[line] = label.at * pointWidth + half + LABEL_GAP;
      return { ...label, line };
    });
}

/** @type {(points: DrawnPoint[]) => [number, number]} ratios */
function findDomain(points) {
  const estimates = points.map(({ ratio }) => ratio.estimate);
  const lowest = Math.min(...estimates) / MAX_OVERHANG;
  const highest = Math.max(...estimates) * MAX_OVERHANG;
  const low = Math.min(...points.map(({ ratio }) => Math.max(ratio.low, lowest)));
  const high = Math.max(...points.map(({ ratio }) => Math.min(ratio.high, highest)));
  const centre = Math.sqrt(low * high);
  return [Math.min(low, centre * (1 - MIN_REACH)), Math.max(high, centre * (1 + MIN_REACH))];
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

/** @param {number} ratio */
function formatTick(ratio) {
  return String(Number(ratio.toPrecision(4)));
}

/** @param {DrawnPoint} point */
function describePoint({ name, ratio }) {
  return `${escapeControl(name)}\n×${formatRatio(ratio.estimate)}, 95 % interval ${formatInterval(ratio)}`;
}

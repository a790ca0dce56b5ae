/** One cell over versions or commits: a line with intervals, the levels between changes, and the changes. */

/** @import { RatioInterval } from '../../harness/formats/types.ts' */
/** @import { Markup } from '../document/markup.js' */

import * as Plot from '@observablehq/plot';
import { ticks } from 'd3-array';
import { escapeControl } from '../../harness/lib/escape.js';
import { formatChange, formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { drawPlot } from '../document/plot.js';

const WIDTH = 520;
const HEIGHT = 260;
const MARGINS = { marginTop: 26, marginRight: 12, marginBottom: 58, marginLeft: 46 };
/** Names below the axis, at most. */
const MAX_NAMES = 14;
const MAX_CHARACTERS = 12;
/** Pixels of a character of the name of a change, between two names, and of a line of them. */
const CHARACTER_WIDTH = 7;
const LABEL_GAP = 4;
const LABEL_HEIGHT = 13;
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
  return drawPlot(label, {
    width: WIDTH,
    height: HEIGHT + lines * LABEL_HEIGHT,
    ...MARGINS,
    marginTop: MARGINS.marginTop + lines * LABEL_HEIGHT,
    x: { domain: [-half, names.length - half], label: null },
    y: { type: 'log', domain: [low, high], label: 'time ÷ reference' },
    marks: [
      Plot.gridY(ticks(low, high, 5), { className: 'grid' }),
      // With a tickFormat, Plot leaves some labels of log axes out.
      Plot.axisY(ticks(low, high, 5), { text: formatTick, labelArrow: 'none' }),
      Plot.axisX(chooseNames(points, names.length), {
        tickFormat: (index) => shorten(names[index]),
        tickRotate: -40,
      }),
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
          r: 3,
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
  const pointWidth = (WIDTH - MARGINS.marginLeft - MARGINS.marginRight) / count;
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

/** Times of a series of operations by their number: a line with its band for each arm. */

/** @import { Arm } from '../../harness/formats/types.ts' */
/** @import { Markup } from '../document/markup.js' */

import * as Plot from '@observablehq/plot';
import { timeUnit } from '../../harness/lib/numbers.js';
import { markup } from '../document/markup.js';
import { drawPlot } from '../document/plot.js';
import { SYMBOLS } from './process-plots.js';

const WIDTH = 480;
const HEIGHT = 250;
const MARGIN_TOP = 26;
const MARGIN_BOTTOM = 24;
/** Between the names at the ends of the lines; pixels. */
const LINE_HEIGHT = 15;
/** Up to this many numbers, all are labelled on the axis. */
const MAX_TICKS = 12;

/**
 * An arm at one number. Nanoseconds; the interval is null where there is none.
 *
 * @typedef {{ at: number, ns: number, interval: { low: number, high: number } | null }} ArmPoint
 */

/** @typedef {{ arm: Arm, points: ArmPoint[] }} ArmLine */

/**
 * @param {string} label what a screen reader says of it
 * @param {string} axis what the number counts
 * @param {ArmLine[]} lines with the same numbers, ascending
 * @returns {Markup}
 */
export function drawSeries(label, axis, lines) {
  const all = lines.flatMap(({ points }) => points);
  const unit = timeUnit(Math.max(...all.map(({ ns }) => ns)));
  const highest = Math.max(...all.map(({ ns, interval }) => interval?.high ?? ns)) / unit.factor;
  const numbers = [...new Set(all.map(({ at }) => at))];
  const plot = drawPlot(label, {
    width: WIDTH,
    height: HEIGHT,
    marginTop: MARGIN_TOP,
    marginRight: 84,
    marginBottom: MARGIN_BOTTOM,
    marginLeft: 46,
    // The label of the number is beside the plot, since it comes from the family.
    x: { label: null, ticks: numbers.length > MAX_TICKS ? MAX_TICKS : numbers, tickFormat: 'd' },
    y: {
      label: `time per document, ${unit.name}`,
      domain: [0, highest],
      nice: true,
      ticks: 5,
      labelArrow: 'none',
    },
    marks: [
      Plot.gridY({ className: 'grid', ticks: 5 }),
      ...lines.flatMap((line) => markArm(line, unit.factor)),
      ...nameEnds(lines, unit.factor, highest),
    ],
  });
  return markup`${plot}
<p class="axis" aria-hidden="true">${axis}</p>`;
}

/**
 * @param {ArmLine} line
 * @param {number} factor nanoseconds of the unit of the axis
 * @returns {Plot.Markish[]}
 */
function markArm({ arm, points }, factor) {
  const band = points.flatMap(({ at, interval }) =>
    interval === null ? [] : [{ at, ...interval }],
  );
  const place = {
    x: 'at',
    y: (/** @type {ArmPoint} */ { ns }) => ns / factor,
  };
  return [
    Plot.areaY(band, {
      x: 'at',
      y1: ({ low }) => low / factor,
      y2: ({ high }) => high / factor,
      className: `band ${arm}`,
    }),
    Plot.line(points, { ...place, className: `course ${arm}` }),
    Plot.dot(points, { ...place, r: 3.5, symbol: SYMBOLS[arm], className: `dot ${arm}` }),
  ];
}

/**
 * The name of each arm where its line ends, apart from the other.
 *
 * @param {ArmLine[]} lines
 * @param {number} factor nanoseconds of the unit of the axis
 * @param {number} highest of the axis, in its unit
 * @returns {Plot.Markish[]}
 */
function nameEnds(lines, factor, highest) {
  const height = HEIGHT - MARGIN_TOP - MARGIN_BOTTOM;
  const ends = lines
    .flatMap(({ arm, points }) =>
      points.slice(-1).map(({ at, ns }) => ({ arm, at, y: ns / factor })),
    )
    .sort((a, b) => b.y - a.y);
  const [upper, lower] = ends;
  if (upper === undefined || lower === undefined) return [];
  const gap = ((upper.y - lower.y) / highest) * height;
  const apart = Math.max(0, (LINE_HEIGHT - gap) / 2);
  return ends.map((end, index) =>
    Plot.text([end], {
      x: 'at',
      y: 'y',
      dx: 9,
      dy: index === 0 ? -apart : apart,
      text: 'arm',
      textAnchor: 'start',
      className: 'arm-name',
    }),
  );
}

/**
 * One cell over a long series of commits: intervals, levels, changes and releases. Each kind of mark is one path, so
 * that a thousand points take some twenty kilobytes.
 */

/** @import { RatioInterval } from '../../harness/formats/types.ts' */
/** @import { Markup } from '../document/markup.js' */

import { range } from 'd3-array';
import { formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { markup, NOTHING } from '../document/markup.js';
import { chooseTicks, findDomain, formatTick, LABEL_HEIGHT, stackLabels } from './ratio-axis.js';

// Pixels.
const HEIGHT = 230;
const MARGIN_TOP = 24;
const MARGIN_RIGHT = 8;
const MARGIN_BOTTOM = 38;
const MARGIN_LEFT = 44;
/** Of a character of the name of a release. */
const CHARACTER_WIDTH = 6.2;
const NAME_GAP = 14;
/** Up to this many points, each has room for a dot of its own. */
const FEW_POINTS = 150;

/**
 * @typedef {object} Course
 * @property {number} count of all commits, measured or not
 * @property {{ index: number, ratio: RatioInterval, level: number }[]} points of measured commits, ascending; at least one
 * @property {{ index: number, tone: string, text: string, href: string }[]} changes
 * @property {{ index: number, name: string, href: string }[]} releases ascending
 * @property {[string, string]} ends what the axis begins and ends with
 */

/**
 * @param {string} label what a screen reader says of it
 * @param {Course} course
 * @param {number} width pixels
 * @param {string} [name] class
 * @returns {Markup} an SVG element, whose attributes say where its points are
 */
export function drawCourse(label, course, width, name = '') {
  const { count, points, changes, releases, ends } = course;
  const [low, high] = findDomain(points.map(({ ratio }) => ratio));
  const inner = width - MARGIN_LEFT - MARGIN_RIGHT;
  const step = inner / count;
  const xOf = (/** @type {number} */ index) => round(MARGIN_LEFT + (index + 0.5) * step);
  const labels = stackLabels(
    changes.map((change) => ({ ...change, x: round(MARGIN_LEFT + change.index * step) })),
  );
  const lines = Math.max(0, ...labels.map(({ line }) => line));
  const top = MARGIN_TOP + lines * LABEL_HEIGHT;
  const bottom = top + HEIGHT;
  const yOf = (/** @type {number} */ ratio) => {
    const clipped = Math.min(high, Math.max(low, ratio));
    return round(bottom - (Math.log(clipped / low) / Math.log(high / low)) * HEIGHT);
  };
  const right = width - MARGIN_RIGHT;
  const height = bottom + MARGIN_BOTTOM;
  const isSparse = points.length <= FEW_POINTS;
  return markup`<svg class="plot course ${name}${isSparse ? ' sparse' : ''}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}" data-left="${MARGIN_LEFT}" data-step="${round(step, 4)}" data-top="${top}" data-bottom="${bottom}">
${chooseTicks([low, high], HEIGHT).map((tick) => markup`<path class="${tick === 1 ? 'one' : 'grid'}" d="M${MARGIN_LEFT} ${yOf(tick)}H${right}"/><text class="tick" x="${MARGIN_LEFT - 6}" y="${yOf(tick) + 3.5}">${formatTick(tick)}</text>`)}
<path class="release" d="${releases.map(({ index }) => `M${xOf(index)} ${top}V${bottom}`).join('')}"/>
${chooseNames(releases, xOf, right).map(({ x, name: release, href }) => markup`<a href="${href}" tabindex="-1"><text class="release-name" x="${x}" y="${bottom + 15}">${release}</text></a>`)}
<text x="${MARGIN_LEFT}" y="${bottom + 32}">${ends[0]}</text><text class="tick" x="${right}" y="${bottom + 32}">${ends[1]}</text>
<path class="cursor" d=""/>
<path class="interval" d="${points.map(({ index, ratio }) => `M${xOf(index)} ${yOf(ratio.high)}V${yOf(ratio.low)}`).join('')}"/>
<path class="level" d="${drawLevels(points, xOf, yOf, step / 2)}"/>
<path class="dots" d="${points.map(({ index, ratio }) => `M${xOf(index)} ${yOf(ratio.estimate)}h0`).join('')}"/>
${labels.map(({ x, line, tone, text, href }) => markup`<a href="${href}" tabindex="-1"><path class="change ${tone}" d="M${x} ${top - 4}V${bottom}"/><text class="change-name ${tone}" x="${x}" y="${top - 10 - line * LABEL_HEIGHT}">${text}</text></a>`)}
</svg>`;
}

/**
 * @param {Course['points']} points
 * @param {(index: number) => number} xOf
 * @param {(ratio: number) => number} yOf
 * @param {number} half of the distance of two commits
 * @returns {string} a path of a line for each stretch of one level
 */
function drawLevels(points, xOf, yOf, half) {
  let path = '';
  let last = null;
  for (const [position, { index, level }] of points.entries()) {
    const start = round(xOf(index) - half);
    if (level !== last)
      path += last === null ? `M${start} ${yOf(level)}` : `H${start}V${yOf(level)}`;
    if (position === points.length - 1) path += `H${round(xOf(index) + half)}`;
    last = level;
  }
  return path;
}

/**
 * @param {Course['releases']} releases
 * @param {(index: number) => number} xOf
 * @param {number} right end of the axis
 * @returns {{ x: number, name: string, href: string }[]} those whose names have room, the latest first
 */
function chooseNames(releases, xOf, right) {
  let free = Infinity;
  return releases.toReversed().flatMap(({ index, name, href }) => {
    const shown = name.length > 14 ? `${name.slice(0, 13)}…` : name;
    const half = (shown.length * CHARACTER_WIDTH) / 2;
    // A name at the end of the axis is moved to the left, where it is whole.
    const x = round(Math.min(right - half, Math.max(MARGIN_LEFT + half, xOf(index))));
    if (x + half > free) return [];
    free = x - half - NAME_GAP;
    return [{ x, name: shown, href }];
  });
}

const SPARK = { width: 132, height: 26, margin: 2, most: 66 };

/**
 * A course in a line of a table: means of a few neighbours, over the levels.
 *
 * @param {Pick<Course, 'points'>} course
 * @returns {Markup} an SVG element; the table says its figures
 */
export function drawSpark({ points }) {
  const size = Math.ceil(points.length / SPARK.most);
  const means = range(0, Math.ceil(points.length / size)).map((place) => {
    const own = points.slice(place * size, (place + 1) * size);
    const log = own.reduce((sum, { ratio }) => sum + Math.log(ratio.estimate), 0) / own.length;
    return { level: own[own.length - 1].level, log };
  });
  const [low, high] = findDomain(
    means.flatMap(({ log, level }) =>
      [Math.exp(log), level].map((ratio) => ({ estimate: ratio, low: ratio, high: ratio })),
    ),
  );
  const { width, height, margin } = SPARK;
  const step = width / means.length;
  const xOf = (/** @type {number} */ index) => round((index + 0.5) * step);
  const yOf = (/** @type {number} */ ratio) =>
    round(height - margin - (Math.log(ratio / low) / Math.log(high / low)) * (height - 2 * margin));
  const drawn = means.map(({ level }, index) => ({ index, level }));
  return markup`<svg class="plot spark" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"><path class="level" d="${drawLevels(/** @type {Course['points']} */ (drawn), xOf, yOf, step / 2)}"/><path class="line" d="${means.map(({ log }, index) => `${index === 0 ? 'M' : 'L'}${xOf(index)} ${yOf(Math.exp(log))}`).join('')}"/></svg>`;
}

const SPAN = { width: 110, height: 16 };

/**
 * An interval in a line of a table, on an axis with 1 in the middle.
 *
 * @param {RatioInterval | null} ratio
 * @param {number} reach the axis goes from 1 / reach to reach
 * @param {string} tone class
 * @returns {Markup} an SVG element; the table says its figures
 */
export function drawSpan(ratio, reach, tone) {
  if (ratio === null) return NOTHING;
  const { estimate, low, high } = ratio;
  const { width, height } = SPAN;
  const xOf = (/** @type {number} */ ratio) => {
    const share = Math.log(ratio) / Math.log(reach);
    return round(((1 + Math.min(1, Math.max(-1, share))) * (width - 6)) / 2 + 3);
  };
  const middle = height / 2;
  return markup`<svg class="plot span ${tone}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"><path class="one" d="M${width / 2} 0v${height}"/><path class="interval" d="M${xOf(low)} ${middle}H${xOf(high)}"/><path class="dots" d="M${xOf(estimate)} ${middle}h0"/></svg>`;
}

/** @type {(value: number, digits?: number) => number} */
function round(value, digits = 1) {
  return Number(value.toFixed(digits));
}

/** @type {(ratio: RatioInterval) => string} `0.953 (0.940–0.966)` */
export function nameRatio(ratio) {
  return `${formatRatio(ratio.estimate)} (${formatInterval(ratio)})`;
}

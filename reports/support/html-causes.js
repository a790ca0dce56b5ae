/** What the difference of a cell consists of. */

/** @import { Cause, CellExplanation, Interval } from '../../harness/formats/types.ts' */
/** @import { Content, Markup } from '../document/markup.js' */
/** @import { TablePlace } from './html-table.js' */

import { formatTimeChange } from '../../harness/lib/numbers.js';
import * as Plot from '@observablehq/plot';
import { remarkOnRest } from './html-blocks.js';
import { joinBlocks } from '../document/markup.js';
import { formatSignedShare, formatTimeInterval } from './html-figures.js';
import { drawPlot } from '../figures/plot.js';
import { htmlTable } from './html-table.js';

const BAR_WIDTH = 140;
const BAR_HEIGHT = 18;

/** Shared by the bars of a table; nanoseconds. @typedef {{ low: number, high: number }} BarAxis */

/**
 * What is responsible for the difference, as a table with bars.
 *
 * @param {CellExplanation} explanation
 * @param {number} most rows
 * @returns {Content}
 */
export function causeTable({ causes, measured }, most) {
  const shown = causes.slice(0, most);
  const axis = makeBarAxis(shown.map(({ change }) => change));
  const total =
    measured === null
      ? ''
      : ` The timed difference is ${formatTimeChange(measured.estimate)} (${formatTimeInterval(measured)}).`;
  const table = htmlTable({
    caption: `What the difference consists of, per document.${total}`,
    label: 'Causes',
    columns: [
      { title: 'cause', wraps: true },
      { title: 'change', align: 'right', sortable: true },
      { title: '' },
      { title: '95 % interval', align: 'right' },
      { title: 'share', align: 'right', hint: 'Of the timed difference' },
    ],
    rows: shown.map((cause) => causeRow(cause, axis)),
  });
  return joinBlocks([table, remarkOnRest(causes.length - shown.length, 'causes')]);
}

/**
 * @param {Cause} cause
 * @param {BarAxis} axis
 * @returns {TablePlace[]}
 */
function causeRow({ name, change, share }, axis) {
  return [
    name,
    { content: formatTimeChange(change.estimate), sort: change.estimate },
    drawBar(change, axis),
    formatTimeInterval(change),
    formatSignedShare(share),
  ];
}

/**
 * @param {Interval[]} changes
 * @returns {BarAxis} with room for 0
 */
function makeBarAxis(changes) {
  const bounds = changes.flatMap(({ estimate, low, high }) => [estimate, low, high]);
  return { low: Math.min(0, ...bounds), high: Math.max(0, ...bounds) };
}

/**
 * @param {Interval} change
 * @param {BarAxis} axis
 * @returns {Markup}
 */
function drawBar({ estimate, low, high }, axis) {
  const tone = estimate > 0 ? 'bad' : 'good';
  return drawPlot(formatTimeChange(estimate), {
    width: BAR_WIDTH,
    height: BAR_HEIGHT,
    margin: 0,
    axis: null,
    x: {
      domain: axis.low === axis.high ? [-1, 1] : [axis.low, axis.high],
      range: [3, BAR_WIDTH - 3],
    },
    y: { domain: [-1, 1], range: [BAR_HEIGHT, 0] },
    marks: [
      Plot.rect([0], { x1: 0, x2: estimate, y1: -0.6, y2: 0.6, className: `bar ${tone}` }),
      Plot.ruleY([0], { x1: low, x2: high, className: 'whisker' }),
      Plot.ruleX([0], { className: 'one' }),
    ],
  });
}

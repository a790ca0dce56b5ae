/** Where the time of a cell went: causes, functions, source lines. */

/** @import { Cause, CellExplanation, FunctionChange, Interval } from '../../harness/types.ts' */
/** @import { ProfileView, SourceLine } from '../types.ts' */
/** @import { Content, Markup } from './html-escape.js' */
/** @import { HtmlColumn, TablePlace } from './html-table.js' */

import * as Plot from '@observablehq/plot';
import { formatTimeChange } from './explanation-rows.js';
import { foldedPart, remarkOnRest } from './html-blocks.js';
import { codeName, joinBlocks, markup } from './html-escape.js';
import { formatSignedShare, formatTimeInterval } from './html-figures.js';
import { drawPlot } from './html-plot.js';
import { htmlTable } from './html-table.js';
import { formatBytes } from './memory-rows.js';
import { formatCount, formatTime, formatTimePair, NO_FIGURE } from './numbers.js';

const BAR_WIDTH = 140;
/** Characters; a line of a minified file has no end. */
const LARGEST_LINE_LENGTH = 200;

/** What the figures of a profile come from, in words. @type {Record<ProfileView['source'], string>} */
export const SOURCE_NAMES = {
  'v8-cpu-profile': 'V8’s sampling profiler',
  perf: 'perf',
  'v8-heap-profile': 'V8’s sampling heap profiler',
};

/** Widely shared axes of bars: nanoseconds. @typedef {{ low: number, high: number }} BarAxis */

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
      { title: 'cause' },
      { title: 'change', align: 'right', sortable: true },
      { title: '' },
      { title: '95 % interval', align: 'right' },
      { title: 'of the difference', align: 'right' },
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
  return drawPlot(`${formatTimeChange(estimate)}`, {
    width: BAR_WIDTH,
    height: 18,
    margin: 0,
    axis: null,
    x: {
      domain: axis.low === axis.high ? [-1, 1] : [axis.low, axis.high],
      range: [3, BAR_WIDTH - 3],
    },
    y: { domain: [-1, 1], range: [18, 0] },
    marks: [
      Plot.rect([0], { x1: 0, x2: estimate, y1: -0.6, y2: 0.6, className: `bar ${tone}` }),
      Plot.ruleY([0], { x1: low, x2: high, className: 'whisker' }),
      Plot.ruleX([0], { className: 'one' }),
    ],
  });
}

/**
 * The functions whose time moved; more of them folded.
 *
 * @param {CellExplanation} explanation
 * @param {number} most rows that are seen at once; three times as many are folded
 * @returns {Content}
 */
export function functionTable({ functions, rest }, most) {
  const first = functions.slice(0, most);
  const second = functions.slice(most, 4 * most);
  const left = functions.length - first.length - second.length + rest.functions;
  return joinBlocks([
    layOutFunctions(
      'Functions that moved, by the change of their own time, per document; below each change its 95 % interval',
      first,
    ),
    foldedPart(
      `${formatCount(second.length)} more functions`,
      layOutFunctions('More functions, per document', second),
    ),
    left > 0 && rest.functions > 0
      ? markup`<p class="quiet">${formatCount(left)} more functions in verdict.json; those left out there too change by ${formatTimeChange(rest.selfNs)} in all.</p>`
      : remarkOnRest(left, 'functions'),
  ]);
}

/**
 * @param {string} caption
 * @param {FunctionChange[]} functions
 * @returns {Markup}
 */
function layOutFunctions(caption, functions) {
  /** @type {HtmlColumn[]} */
  const columns = [
    { title: 'function' },
    { title: 'self: change', align: 'right', sortable: true },
    { title: 'baseline', align: 'right', sortable: true },
    { title: 'candidate', align: 'right', sortable: true },
    { title: 'total: change', align: 'right', sortable: true },
  ];
  return htmlTable({
    caption,
    label: 'Functions that moved',
    columns,
    rows: functions.map(functionRow),
  });
}

/**
 * @param {FunctionChange} change
 * @returns {TablePlace[]}
 */
function functionRow({ name, kind, file, line, baseline, candidate, self, total }) {
  const [before, after] = formatTimePair(baseline?.selfNs, candidate?.selfNs);
  return [
    markup`${codeName(name)}${kind === 'js' ? null : markup` <span class="kind">${kind}</span>`}${sourcePlace(file, line)}`,
    changePlace(self),
    { content: baseline === null ? 'absent' : before, sort: baseline?.selfNs ?? null },
    { content: candidate === null ? 'absent' : after, sort: candidate?.selfNs ?? null },
    changePlace(total),
  ];
}

/**
 * A change above its interval.
 *
 * @param {Interval} change nanoseconds
 * @returns {TablePlace}
 */
function changePlace(change) {
  return {
    content: markup`${formatTimeChange(change.estimate)}<span class="below">${formatTimeInterval(change)}</span>`,
    sort: change.estimate,
    tone: toneOfChange(change),
  };
}

/**
 * @param {Interval} change
 * @returns {string} a colour only where the interval excludes 0
 */
export function toneOfChange({ low, high }) {
  if (low > 0) return 'bad';
  return high < 0 ? 'good' : '';
}

/**
 * @param {string | null} file
 * @param {number | null} line
 * @returns {Content} on a line of its own; nothing without a file
 */
export function sourcePlace(file, line) {
  if (file === null) return null;
  const nameStart = file.lastIndexOf('/') + 1;
  const directory = markup`<span class="directory">${file.slice(0, nameStart)}</span>`;
  const place = line === null ? file.slice(nameStart) : `${file.slice(nameStart)}:${line}`;
  return markup`<span class="place">${nameStart === 0 ? null : directory}${place}</span>`;
}

/**
 * Source lines with what is spent on them, the heaviest first.
 *
 * @param {ProfileView[]} views
 * @param {number} most lines a view
 * @returns {Content}
 */
export function lineTables(views, most) {
  return joinBlocks(
    views.map((view) => {
      const shown = view.lines.slice(0, most);
      if (shown.length === 0) return null;
      return foldedPart(
        `Source lines, by ${SOURCE_NAMES[view.source]}`,
        joinBlocks([layOutLines(view, shown), remarkOnLines(view.lines.length - shown.length)]),
      );
    }),
  );
}

/** @param {number} count */
function remarkOnLines(count) {
  return count <= 0
    ? null
    : markup`<p class="quiet">${formatCount(count)} more lines, lighter than these.</p>`;
}

/**
 * @param {ProfileView} view
 * @param {SourceLine[]} lines
 * @returns {Markup}
 */
function layOutLines({ source, differential }, lines) {
  const isBytes = differential.unit === 'bytes';
  const format = (/** @type {number} */ weight) =>
    weight === 0 ? NO_FIGURE : isBytes ? formatBytes(weight) : formatTime(weight);
  return htmlTable({
    caption: `Source lines with ${isBytes ? 'the bytes allocated' : 'the time spent'} on them, per document, by ${SOURCE_NAMES[source]}`,
    label: 'Source lines',
    kind: 'lines',
    columns: [
      { title: 'line' },
      { title: 'baseline', align: 'right', sortable: true },
      { title: 'candidate', align: 'right', sortable: true },
      { title: 'source', wraps: true },
    ],
    rows: lines.map(({ file, line, name, text, baseline, candidate }) => [
      markup`${codeName(name)}${sourcePlace(file, line)}`,
      { content: format(baseline), sort: baseline },
      { content: format(candidate), sort: candidate },
      text === null ? null : markup`<code class="source">${shortenLine(text.trim())}</code>`,
    ]),
  });
}

/** @param {string} text */
function shortenLine(text) {
  return text.length <= LARGEST_LINE_LENGTH ? text : `${text.slice(0, LARGEST_LINE_LENGTH)}…`;
}

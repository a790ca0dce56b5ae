/**
 * The two tables of the terminal report, with the same rows in the same order: times, ratio and
 * verdict first; the plot and what backs the verdict second.
 */

/** @import { CellComparison } from '../../harness/formats/types.ts' */
/** @import { RenderInput, TableColumn, TableEntry, Tone } from '../types.ts' */

import {
  formatConfidence,
  formatInterval,
  formatRatio,
  formatShare,
  formatTimePair,
} from '../../harness/lib/numbers.js';
import { drawRange, drawTicks, makeAxis } from '../document/range-plot.js';
import { layOutTable, naturalWidth } from './table.js';
import { groupRows, labelColumn, plain } from './terminal-rows.js';
import { hasFigures, processesLabel, timeLabel, toneOf, verdictLabel } from './verdict-words.js';
import { wrapText } from '../../harness/lib/wrap.js';

const SMALLEST_PLOT_WIDTH = 16;
const LARGEST_PLOT_WIDTH = 60;
const LARGEST_NOTES_WIDTH = 9;

/** @typedef {(text: string, tone: Tone) => string} Paint */

/**
 * Times of both sides, ratio, interval and verdict.
 *
 * @param {RenderInput} input
 * @param {number} width columns
 * @param {Paint} paint
 * @returns {string[]} none without cells
 */
export function layOutTimeTable(input, width, paint) {
  if (input.verdict.cells.length === 0) return [];
  /** @type {TableColumn[]} */
  const columns = [
    labelColumn(input),
    { title: 'baseline', align: 'right', dropRank: 2 },
    { title: 'candidate', align: 'right', dropRank: 2 },
    { title: 'ratio', align: 'right' },
    {
      title: `${formatConfidence(input.manifest.question.alpha)} interval`,
      align: 'right',
      dropRank: 1,
    },
    { title: 'verdict', align: 'left' },
  ];
  const rows = groupRows(input, width, {
    drawCell: (comparison) => {
      const { effect } = comparison;
      const times = formatTimePair(comparison.baselineNs, comparison.candidateNs);
      const word = verdictLabel(comparison, input.manifest.question.mode);
      return [
        ...times.map(plain),
        plain(formatRatio(effect?.ratio?.estimate)),
        plain(formatInterval(effect?.ratio)),
        { text: word, tone: toneOf(comparison) },
      ];
    },
    drawSummary: ({ ratio }) => [
      plain(''),
      plain(''),
      plain(formatRatio(ratio?.estimate)),
      plain(formatInterval(ratio)),
    ],
  });
  const { baseline, candidate } = input.manifest.question;
  const title = `${timeLabel(input.manifest.question)}; baseline ${baseline}, candidate ${candidate}`;
  const titleLines = wrapText(title, width).map((line) => paint(line, 'quiet'));
  return [...titleLines, ...layOutTable(columns, rows, width, paint)];
}

/**
 * Range plot, control, smallest detectable effect, processes a side and notes.
 *
 * @param {RenderInput} input
 * @param {number} width columns
 * @param {Paint} paint
 * @returns {string[]}
 */
export function layOutDetailTable(input, width, paint) {
  const { manifest, verdict } = input;
  if (!hasFigures(verdict)) return [];
  const axis = makeAxis(
    [
      ...verdict.cells.map(({ effect }) => effect?.ratio),
      ...verdict.summaries.map(({ ratio }) => ratio),
    ],
    manifest.question.minimumEffect,
    plotWidth(input, width),
  );
  const plot = { title: drawTicks(axis), align: /** @type {const} */ ('left') };
  const [label, ...others] = detailColumns(input);
  const rows = groupRows(input, width, {
    drawCell: (comparison) => [
      { text: drawRange(axis, { range: comparison.effect?.ratio }), tone: toneOf(comparison) },
      ...detailEntries(comparison, input),
    ],
    drawSummary: ({ ratio }) => [plain(drawRange(axis, { range: ratio }))],
  });
  const columns = /** @type {TableColumn[]} */ ([label, plot, ...others]);
  return layOutTable(columns, rows, width, paint);
}

/**
 * @param {RenderInput} input
 * @returns {TableColumn[]} without the plot
 */
function detailColumns(input) {
  /** @type {TableColumn[]} */
  const columns = [
    labelColumn(input),
    { title: 'control', align: 'right', dropRank: 3 },
    { title: 'detects', align: 'right', dropRank: 2 },
    { title: 'processes', align: 'right', dropRank: 1 },
  ];
  if (hasNotes(input)) columns.push({ title: 'notes', align: 'left', dropRank: 4 });
  return columns;
}

/**
 * @param {CellComparison} comparison
 * @param {RenderInput} input
 * @returns {TableEntry[]} for the columns behind the plot
 */
function detailEntries(comparison, input) {
  const entries = [
    plain(formatRatio(comparison.control?.ratio?.estimate)),
    plain(formatShare(comparison.detectableEffect)),
    plain(processesLabel(comparison)),
  ];
  if (hasNotes(input)) {
    const numbers = comparison.warnings.join(', ');
    const shown = numbers.length > LARGEST_NOTES_WIDTH ? `${comparison.warnings[0]}, …` : numbers;
    entries.push(plain(shown));
  }
  return entries;
}

/**
 * What the other columns leave.
 *
 * @param {RenderInput} input
 * @param {number} width columns
 * @returns {number}
 */
function plotWidth(input, width) {
  const rows = groupRows(input, width, {
    drawCell: (comparison) => detailEntries(comparison, input),
    drawSummary: () => [],
  });
  const left = width - naturalWidth(detailColumns(input), rows) - 2;
  return Math.max(SMALLEST_PLOT_WIDTH, Math.min(LARGEST_PLOT_WIDTH, left));
}

/**
 * @param {RenderInput} input
 * @returns {boolean}
 */
function hasNotes({ verdict }) {
  return verdict.cells.some(({ warnings }) => warnings.length > 0);
}

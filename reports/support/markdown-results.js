/** What a comparison found, as Markdown: the cells, the means, the notes. */

/** @import { CellComparison, Manifest, Verdict } from '../../harness/formats/types.ts' */

import { codeSpan, escapeProse } from '../../harness/lib/escape.js';
import { hostsRemark } from './host-parts.js';
import { nameColumns } from './markdown-cell-names.js';
import { markdownTable } from './markdown-table.js';
import { meansRemark } from './means-remark.js';
import {
  formatChange,
  formatConfidence,
  formatInterval,
  formatRatio,
  formatShare,
  formatTimePair,
} from '../../harness/lib/numbers.js';
import { drawRange, drawTicks, makeAxis } from '../document/range-plot.js';
import { hasNodeColumn, nodeOf } from './runtime-matrix.js';
import { chooseMeans } from './series.js';
import { hasFigures, processesLabel, timeLabel, verdictLabel } from './verdict-words.js';

const PLOT_WIDTH = 25;

/** @typedef {{ title: string, align: 'left' | 'right', draw: (cell: CellComparison) => string }} CellColumn */

/**
 * One row a cell. The short form has no plot and none of what backs the verdict.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {'whole' | 'short'} [form]
 * @returns {string} empty without cells
 */
export function cellTable(manifest, verdict, form = 'whole') {
  if (verdict.cells.length === 0) return '';
  const isWhole = form === 'whole' && hasFigures(verdict);
  const columns = [
    ...nameColumns(manifest, verdict),
    // A pull request shows the first 800 pixels of a table; the rest has to be scrolled to.
    verdictColumn(manifest),
    ...ratioColumns(manifest),
    ...(isWhole ? [plotColumn(manifest, verdict)] : []),
    ...timeColumns(),
    ...(isWhole ? backingColumns() : []),
    ...(verdict.cells.some(({ warnings }) => warnings.length > 0) ? [noteColumn()] : []),
  ];
  const rows = verdict.cells.map((cell) => columns.map(({ draw }) => draw(cell)));
  const { baseline, candidate } = manifest.question;
  const caption = `${timeLabel(manifest.question, codeSpan, escapeProse)}; baseline ${codeSpan(baseline)}, candidate ${codeSpan(candidate)}. Ratios are candidate ÷ baseline: below 1 is faster.`;
  const remark = hostsRemark(manifest);
  return `${caption}${remark === null ? '' : ` ${remark}`}\n\n${markdownTable(columns, rows)}`;
}

/**
 * @param {Manifest} manifest
 * @returns {CellColumn[]}
 */
function ratioColumns({ question }) {
  return [
    { title: 'ratio', align: 'right', draw: ({ effect }) => formatRatio(effect?.ratio.estimate) },
    {
      title: `${formatConfidence(question.alpha)} interval`,
      align: 'right',
      draw: ({ effect }) => formatInterval(effect?.ratio),
    },
  ];
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {CellColumn}
 */
function plotColumn({ question }, { cells }) {
  const ratios = cells.map(({ effect }) => effect?.ratio);
  const axis = makeAxis(ratios, question.minimumEffect, PLOT_WIDTH);
  return {
    title: plotSpan(drawTicks(axis)),
    align: 'left',
    draw: ({ effect }) => plotSpan(drawRange(axis, { range: effect?.ratio })),
  };
}

/** @returns {CellColumn[]} */
function timeColumns() {
  const times = (/** @type {CellComparison} */ cell) =>
    formatTimePair(cell.baselineNs, cell.candidateNs);
  return [
    { title: 'baseline', align: 'right', draw: (cell) => times(cell)[0] },
    { title: 'candidate', align: 'right', draw: (cell) => times(cell)[1] },
  ];
}

/** @returns {CellColumn[]} */
function backingColumns() {
  return [
    {
      title: 'control',
      align: 'right',
      draw: ({ control }) => formatRatio(control?.ratio.estimate),
    },
    {
      title: 'detects',
      align: 'right',
      draw: ({ detectableEffect }) => formatShare(detectableEffect),
    },
    { title: 'processes', align: 'right', draw: processesLabel },
  ];
}

/**
 * @param {Manifest} manifest
 * @returns {CellColumn}
 */
function verdictColumn({ question }) {
  return {
    title: question.mode === 'screen' ? 'screen verdict' : 'verdict',
    align: 'left',
    draw: (cell) => {
      const label = verdictLabel(cell, question.mode);
      const hasDirection = cell.verdict === 'faster' || cell.verdict === 'slower';
      return hasDirection ? `**${label}**` : label;
    },
  };
}

/** @returns {CellColumn} */
function noteColumn() {
  return { title: 'notes', align: 'left', draw: ({ warnings }) => warnings.join(', ') };
}

/**
 * A plot as a code span of which no space gets lost.
 *
 * @param {string} plot
 * @returns {string}
 */
function plotSpan(plot) {
  return `\`${plot.replaceAll(' ', '\u00a0')}\``;
}

/**
 * Geometric means over the cells of each operation.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {string} empty where there are none
 */
export function summaryTable(manifest, verdict) {
  const { question } = manifest;
  const summaries = chooseMeans(verdict);
  if (summaries.length === 0) return '';
  const hasNodes = hasNodeColumn(verdict);
  const rows = summaries.map((summary) => {
    const { operation, cellCount, ratio } = summary;
    const { change, throughput } = formatChange(ratio.estimate);
    const figures = [formatRatio(ratio.estimate), formatInterval(ratio), change, throughput];
    const runtime = hasNodes ? [codeSpan(nodeOf(summary, manifest.environment))] : [];
    return [codeSpan(operation), ...runtime, String(cellCount), ...figures];
  });
  const numberTitles = [
    'cells',
    'ratio',
    `${formatConfidence(question.alpha)} interval`,
    'time',
    'throughput',
  ];
  const remark = meansRemark(manifest, verdict, codeSpan);
  const table = markdownTable(
    [
      {
        title: question.mode === 'screen' ? 'geometric mean (screen mode)' : 'geometric mean',
        align: 'left',
      },
      ...(hasNodes ? [{ title: 'node', align: /** @type {const} */ ('left') }] : []),
      ...numberTitles.map((title) => ({ title, align: /** @type {const} */ ('right') })),
    ],
    rows,
  );
  return remark === null ? table : `${table}\n\n${remark}`;
}

/**
 * @param {Verdict} verdict
 * @returns {string} empty where there is nothing to note
 */
export function noteList(verdict) {
  const notes = verdict.warnings.map(({ number, text }) => `${number}. ${escapeProse(text)}`);
  return notes.length === 0 ? '' : `**Notes**\n\n${notes.join('\n')}`;
}

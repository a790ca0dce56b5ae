/** What a comparison found: the sentence, the cells, the geometric means, the notes. */

/** @import { CellComparison, Manifest, Verdict, Warning } from '../../harness/types.ts' */
/** @import { PlotAxis } from '../types.ts' */
/** @import { Content } from './html-escape.js' */
/** @import { HtmlColumn, TablePlace } from './html-table.js' */

import { noteLinks, pageSection, verdictBadge } from './html-blocks.js';
import { codeName, joinBlocks, markName, markup, withNames } from './html-escape.js';
import { drawRatio, drawRatioTicks } from './html-ratio-plot.js';
import { htmlTable } from './html-table.js';
import {
  formatChange,
  formatConfidence,
  formatInterval,
  formatRatio,
  formatShare,
  formatTimePair,
} from './numbers.js';
import { makeAxis } from './range-plot.js';
import { verdictSentence } from './verdict-sentence.js';
import { endLabel, processesLabel, timeLabel, toneOf, verdictLabel } from './verdict-words.js';

const PLOT_WIDTH = 170;

/**
 * @typedef {HtmlColumn & { draw: (cell: CellComparison, index: number) => TablePlace }} CellColumn
 */

/**
 * The sentence that a reader takes away, and what limits it.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function verdictLead(manifest, verdict) {
  const sentence = withNames(verdictSentence(manifest, verdict, markName));
  const ended = endLabel(verdict, manifest.runId);
  return joinBlocks([
    markup`<p class="lead">${sentence}</p>`,
    manifest.question.mode === 'screen'
      ? markup`<p class="remark">Screen mode measures under <code>--predictable</code>: a fast look, not a claim. Repeat without <code>--screen</code> before you publish a figure.</p>`
      : null,
    ended === null ? null : markup`<p class="remark">${ended}</p>`,
  ]);
}

/**
 * A row a cell, with a link to its section.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content} nothing without cells
 */
export function cellTable({ question }, { cells }) {
  const label = withNames(timeLabel(question, markName));
  const axis = makeAxis(
    cells.map(({ effect }) => effect?.ratio),
    question.minimumEffect,
    PLOT_WIDTH,
  );
  const columns = [
    ...verdictColumns(question, axis),
    ...backingColumns(question),
    ...(cells.some(({ warnings }) => warnings.length > 0) ? [noteColumn()] : []),
  ];
  return htmlTable({
    caption: markup`${label}; baseline ${codeName(question.baseline)}, candidate ${codeName(question.candidate)}. Ratios are candidate ÷ baseline: below 1 is faster. Dashed lines mark the minimum effect of ${formatShare(question.minimumEffect)}.`,
    label: 'Verdicts by cell',
    kind: 'cells',
    columns,
    rows: cells.map((cell, index) => columns.map(({ draw }) => draw(cell, index))),
  });
}

/**
 * @param {Manifest['question']} question
 * @param {PlotAxis} axis
 * @returns {CellColumn[]}
 */
function verdictColumns({ mode, alpha }, axis) {
  return [
    {
      title: 'cell',
      sortable: true,
      draw: ({ cell }, index) => markup`<a href="#cell-${index + 1}">${codeName(cell.id)}</a>`,
    },
    {
      title: mode === 'screen' ? 'screen verdict' : 'verdict',
      sortable: true,
      draw: (cell) => verdictBadge(cell.verdict, verdictLabel(cell, mode)),
    },
    {
      title: 'ratio',
      align: 'right',
      sortable: true,
      draw: ({ effect }) => ({
        content: markup`<strong>${formatRatio(effect?.ratio.estimate)}</strong>`,
        sort: effect?.ratio.estimate ?? null,
      }),
    },
    {
      title: drawRatioTicks(axis),
      draw: (cell) => drawRatio(axis, cell.effect?.ratio, toneOf(cell)),
    },
    {
      title: `${formatConfidence(alpha)} interval`,
      align: 'right',
      draw: ({ effect }) => formatInterval(effect?.ratio),
    },
  ];
}

/**
 * @param {Manifest['question']} question
 * @returns {CellColumn[]}
 */
function backingColumns({ mode }) {
  const times = (/** @type {CellComparison} */ cell) =>
    formatTimePair(cell.baselineNs, cell.candidateNs);
  return [
    {
      title: 'baseline',
      align: 'right',
      sortable: true,
      draw: (cell) => ({ content: times(cell)[0], sort: cell.baselineNs }),
    },
    {
      title: 'candidate',
      align: 'right',
      sortable: true,
      draw: (cell) => ({ content: times(cell)[1], sort: cell.candidateNs }),
    },
    {
      title: 'control',
      hint: 'The baseline a second time, over the baseline',
      align: 'right',
      draw: ({ control }) => formatRatio(control?.ratio.estimate),
    },
    {
      title: 'detects',
      hint: 'Smallest effect that this many processes find with 80 % power',
      align: 'right',
      draw: ({ detectableEffect }) => formatShare(detectableEffect),
    },
    {
      title: mode === 'screen' ? 'processes (screen)' : 'processes',
      hint: 'Processes a side',
      align: 'right',
      draw: processesLabel,
    },
  ];
}

/** @returns {CellColumn} */
function noteColumn() {
  return { title: 'notes', draw: ({ warnings }) => noteLinks(warnings) };
}

/**
 * Geometric means over the cells of each operation.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content} nothing where there are none
 */
export function summaryTable({ question }, { summaries }) {
  return htmlTable({
    caption: 'Geometric mean over the cells of each operation',
    label: 'Geometric means',
    columns: [
      { title: 'operation' },
      { title: 'cells', align: 'right' },
      { title: 'ratio', align: 'right' },
      { title: `${formatConfidence(question.alpha)} interval`, align: 'right' },
      { title: 'time', align: 'right' },
      { title: 'throughput', align: 'right' },
    ],
    rows: summaries.map(({ operation, cellCount, ratio }) => {
      const { change, throughput } = formatChange(ratio.estimate);
      const figures = [formatInterval(ratio), change, throughput];
      const estimate = markup`<strong>${formatRatio(ratio.estimate)}</strong>`;
      return [codeName(operation), String(cellCount), estimate, ...figures];
    }),
  });
}

/**
 * Everything that a careful reader should know, with the numbers by which the rest refers to it.
 *
 * @param {Verdict} verdict
 * @returns {Content} nothing where there is nothing to note
 */
export function noteSection({ warnings, memory, explanation }) {
  const notes = [...warnings, ...(memory?.warnings ?? []), ...(explanation?.warnings ?? [])].map(
    makeNote,
  );
  if (notes.length === 0) return null;
  return pageSection('notes', 'Notes', [markup`<ol class="notes">\n${joinBlocks(notes)}\n</ol>`]);
}

/** @param {Warning} warning */
function makeNote({ number, text }) {
  return markup`<li id="note-${number}" value="${number}">${text}</li>`;
}

/** The table of cells: what was found, and what backs it. */

/** @import { CellComparison, Manifest, Verdict } from '../../harness/formats/types.ts' */
/** @import { PlotAxis } from '../types.ts' */
/** @import { Content } from '../document/markup.js' */
/** @import { HtmlColumn, TablePlace } from './html-table.js' */

import { noteLinks, verdictBadge } from './html-blocks.js';
import { nameColumns } from './html-cell-names.js';
import { codeName, markName, markup, withNames } from '../document/markup.js';
import { drawRatio, drawRatioTicks } from '../figures/ratio-plot.js';
import { htmlTable } from './html-table.js';
import {
  formatConfidence,
  formatInterval,
  formatRatio,
  formatShare,
  formatTimePair,
} from '../../harness/lib/numbers.js';
import { makeAxis } from '../document/range-plot.js';
import { hasNodeColumn } from './runtime-matrix.js';
import { processesLabel, timeLabel, toneOf, verdictLabel } from './verdict-words.js';

const PLOT_WIDTH = 170;
/** Beside a column for the version of Node. */
const NARROW_PLOT_WIDTH = 110;

/**
 * @typedef {HtmlColumn & { draw: (cell: CellComparison, index: number) => TablePlace }} CellColumn
 */

/**
 * A row a cell, with a link to its section. Where no cell has figures, the columns of figures are
 * left out.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {Set<number>} linked numbers, from 1, of the cells that have a section
 * @returns {Content} nothing without cells
 */
export function cellTable(manifest, verdict, linked) {
  const { question } = manifest;
  const { cells } = verdict;
  const hasFigures = cells.some(({ effect }) => effect !== null);
  const sides = markup`baseline ${codeName(question.baseline)}, candidate ${codeName(question.candidate)}`;
  const axis = makeAxis(
    cells.map(({ effect }) => effect?.ratio),
    question.minimumEffect,
    hasNodeColumn(verdict) ? NARROW_PLOT_WIDTH : PLOT_WIDTH,
  );
  const columns = [
    ...nameColumns(manifest, verdict, linked),
    verdictColumn(question),
    ...(hasFigures ? [...ratioColumns(question, axis), ...backingColumns(question)] : []),
    ...(cells.some(({ warnings }) => warnings.length > 0) ? [noteColumn()] : []),
  ];
  return htmlTable({
    caption: hasFigures
      ? markup`${withNames(timeLabel(question, markName))}; ${sides}. Ratios are candidate ÷ baseline: below 1 is faster. Dashed lines mark the minimum effect of ${formatShare(question.minimumEffect)}. Control is the baseline a second time, over the baseline; “detects” is the smallest effect that so many processes a side find with 80 % power.`
      : markup`Cells; ${sides}.`,
    label: 'Verdicts by cell',
    kind: 'cells',
    columns,
    rows: cells.map((cell, index) => columns.map(({ draw }) => draw(cell, index))),
  });
}

/**
 * @param {Manifest['question']} question
 * @returns {CellColumn}
 */
function verdictColumn({ mode }) {
  return {
    title: mode === 'screen' ? 'screen verdict' : 'verdict',
    sortable: true,
    draw: (cell) => verdictBadge(cell.verdict, verdictLabel(cell, mode)),
  };
}

/**
 * @param {Manifest['question']} question
 * @param {PlotAxis} axis
 * @returns {CellColumn[]}
 */
function ratioColumns({ alpha }, axis) {
  return [
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
      draw: (cell) => drawRatio(axis, { range: cell.effect?.ratio, tone: toneOf(cell) }),
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

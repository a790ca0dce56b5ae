/** The section of the terminal report on memory. */

/** @import { CorpusMemory, MemoryVerdict } from '../../harness/formats/types.ts' */
/** @import { TableColumn, TableRow } from '../types.ts' */
/** @import { MemoryRow, PartRow } from './memory-rows.js' */
/** @import { Page } from './terminal-lists.js' */

import {
  describeHeldDocuments,
  describeLeftOut,
  describeRss,
  hasCollections,
  listCellRows,
  listCorpusRows,
  listDifferingGroups,
  listPartRows,
} from './memory-rows.js';
import { formatConfidence } from '../../harness/lib/numbers.js';
import { layOutTable } from './table.js';
import { plain } from './terminal-rows.js';
import { wrapText } from '../../harness/lib/wrap.js';

const SMALLEST_LABEL_WIDTH = 19;

/**
 * Allocation, collections, what is retained and what that is made of, and the notes on them.
 *
 * @param {Page} page
 * @returns {string[]} lines; none where memory was not measured
 */
export function layOutMemory(page) {
  const { memory } = page.input.verdict;
  if (memory === undefined) return [];
  const blocks = [
    layOutCells(page, memory),
    layOutCorpora(page, memory),
    ...memory.corpora.flatMap((corpus) => [
      ...layOutParts(page, corpus),
      wrapText(describeRss(corpus), page.width).map((line) => page.paint(line, 'quiet')),
    ]),
    wrapText(describeLeftOut(page.input.verdict), page.width).map((line) =>
      page.paint(line, 'quiet'),
    ),
    listMemoryNotes(page, memory),
  ];
  const shown = blocks.filter((lines) => lines.join('') !== '');
  return shown.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/**
 * @param {Page} page
 * @param {MemoryVerdict} memory
 * @returns {string[]}
 */
function layOutCells(page, { cells }) {
  if (cells.length === 0) return [];
  /** @type {TableRow[]} */
  const rows = cells.flatMap((cell) => [
    { heading: cell.cell.id },
    ...listCellRows(cell).map(toTableRow),
  ]);
  const title = hasCollections(cells)
    ? 'Memory: allocated per document; garbage collections per 1000 documents'
    : 'Memory: allocated per document';
  return layOutMetrics(page, title, rows);
}

/**
 * @param {Page} page
 * @param {MemoryVerdict} memory
 * @returns {string[]}
 */
function layOutCorpora(page, { corpora }) {
  if (corpora.length === 0) return [];
  /** @type {TableRow[]} */
  const rows = corpora.flatMap((corpus) => [
    { heading: `${corpus.corpus} (${describeHeldDocuments(corpus)})` },
    ...listCorpusRows(corpus).map(toTableRow),
  ]);
  return layOutMetrics(page, 'Memory: retained once documents are read', rows);
}

/**
 * @param {Page} page
 * @param {string} title
 * @param {TableRow[]} rows
 * @returns {string[]}
 */
function layOutMetrics({ input, width, paint }, title, rows) {
  /** @type {TableColumn[]} */
  const columns = [
    { title: '', align: 'left', minWidth: SMALLEST_LABEL_WIDTH },
    { title: 'baseline', align: 'right' },
    { title: 'candidate', align: 'right' },
    { title: 'ratio', align: 'right' },
    {
      title: `${formatConfidence(input.manifest.question.alpha)} interval`,
      align: 'right',
      dropRank: 1,
    },
    { title: 'control', align: 'right', dropRank: 2 },
    { title: 'verdict', align: 'left' },
  ];
  const titleLines = wrapText(title, width).map((line) => paint(line, 'quiet'));
  return [...titleLines, ...layOutTable(columns, rows, width, paint)];
}

/**
 * @param {MemoryRow} row
 * @returns {TableRow}
 */
function toTableRow({ label, baseline, candidate, ratio, interval, control, verdict, tone }) {
  const texts = [` ${label}`, baseline, candidate, ratio, interval, control].map(plain);
  return [...texts, { text: verdict, tone }];
}

/**
 * What the constructors that differ are made of.
 *
 * @param {Page} page
 * @param {CorpusMemory} corpus
 * @returns {string[][]} a block a corpus
 */
function layOutParts({ width, paint }, corpus) {
  /** @type {TableRow[]} */
  const rows = listDifferingGroups(corpus).flatMap((group) => [
    { heading: group.name },
    ...listPartRows(group).map(toPartRow),
  ]);
  if (rows.length === 0) return [];
  /** @type {TableColumn[]} */
  const columns = [
    { title: '', align: 'left', minWidth: SMALLEST_LABEL_WIDTH },
    { title: 'baseline', align: 'right' },
    { title: 'candidate', align: 'right' },
  ];
  const title = `Memory: what instances in ${corpus.corpus} are made of`;
  const titleLines = wrapText(title, width).map((line) => paint(line, 'quiet'));
  return [[...titleLines, ...layOutTable(columns, rows, width, paint)]];
}

/**
 * @param {PartRow} row
 * @returns {TableRow}
 */
function toPartRow({ label, baseline, candidate }) {
  return [` ${label}`, baseline, candidate].map(plain);
}

/**
 * @param {Page} page
 * @param {MemoryVerdict} memory
 * @returns {string[]}
 */
function listMemoryNotes({ width, paint }, { warnings }) {
  if (warnings.length === 0) return [];
  const digits = String(Math.max(...warnings.map(({ number }) => number))).length;
  const lines = warnings.flatMap(({ number, text }) =>
    wrapText(text, width, { first: ` ${String(number).padStart(digits)}  ` }),
  );
  return [paint('Notes on memory', 'title'), ...lines];
}

/** The section of the terminal report that says why. */

/** @import { CellExplanation } from '../../harness/formats/types.ts' */
/** @import { TableColumn } from '../types.ts' */
/** @import { Page } from './terminal-lists.js' */

import { quoteWords } from '../../harness/lib/words.js';
import {
  listCauseRows,
  listRequestedFiles,
  listWitnessRows,
  WITNESS_REMARK,
} from './explanation-rows.js';
import { isOfPrograms } from './runtime-facts.js';
import { layOutTable } from './table.js';
import { plain } from './terminal-rows.js';
import { wrapText } from '../../harness/lib/wrap.js';

/** The rest is in the other reports. */
const MOST_SENTENCES = 3;
const MOST_CAUSES = 6;

/**
 * Cell by cell a paragraph and what the difference consists of.
 *
 * @param {Page} page
 * @returns {string[]} lines; none where nothing was profiled
 */
export function layOutExplanation(page) {
  const { explanation } = page.input.verdict;
  if (explanation === undefined) return [];
  const blocks = [
    ...explanation.cells.map((cell) => layOutCell(page, cell)),
    listNotes(page, explanation.warnings),
    pointToPage(page),
  ].filter((lines) => lines.length > 0);
  return blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

/**
 * @param {Page} page
 * @returns {string[]}
 */
function pointToPage({ input: { manifest, runPath }, width, paint }) {
  const seen = isOfPrograms(manifest)
    ? 'Functions and flamegraphs'
    : 'Functions, flamegraphs, allocations and deoptimisations';
  const text = `${seen}: just open ${quoteWords([runPath ?? manifest.runId])}`;
  return wrapText(text, width).map((line) => paint(line, 'quiet'));
}

/**
 * @param {Page} page
 * @param {CellExplanation} cell
 * @returns {string[]}
 */
function layOutCell({ input, width, paint }, cell) {
  const paragraph = wrapText(cell.paragraph.slice(0, MOST_SENTENCES).join(' '), width, {
    first: '  ',
    next: '  ',
  });
  const lines = [paint(`Why: ${cell.cell.id}`, 'title'), ...paragraph];
  return [
    ...lines,
    ...layOutCauses(cell, width, paint),
    ...layOutWitnesses(cell, width, paint),
    ...listFiles(listRequestedFiles(cell, input.manifest.question.recorders), width),
  ];
}

/**
 * @param {ReturnType<typeof listRequestedFiles>} files
 * @param {number} width
 * @returns {string[]}
 */
function listFiles(files, width) {
  if (files.length === 0) return [];
  const lines = files.flatMap(({ recorder, arm, path }) =>
    wrapText(`${recorder}, ${arm}: ${path}`, width, { first: '    ', next: '      ' }),
  );
  return ["  files, below the run's directory", ...lines];
}

/**
 * @param {CellExplanation} cell
 * @param {number} width
 * @param {Page['paint']} paint
 * @returns {string[]}
 */
function layOutCauses(cell, width, paint) {
  const rows = listCauseRows(cell).slice(0, MOST_CAUSES);
  if (rows.length < 2) return [];
  /** @type {TableColumn[]} */
  const columns = [
    { title: '  per document', align: 'left', minWidth: 24 },
    { title: 'change', align: 'right' },
    { title: '95 % interval', align: 'right', dropRank: 1 },
    { title: 'share', align: 'right' },
  ];
  const entries = rows.map(({ label, change, interval, share }) =>
    [`  ${label}`, change, interval, share].map(plain),
  );
  return layOutTable(columns, entries, width, paint);
}

/**
 * @param {CellExplanation} cell
 * @param {number} width
 * @param {Page['paint']} paint
 * @returns {string[]}
 */
function layOutWitnesses(cell, width, paint) {
  const rows = listWitnessRows(cell);
  if (rows.length === 0) return [];
  /** @type {TableColumn[]} */
  const columns = [
    { title: '  other witnesses', align: 'left', minWidth: 24 },
    { title: 'baseline', align: 'right' },
    { title: 'candidate', align: 'right' },
    { title: 'ratio', align: 'right' },
    { title: '95 % interval', align: 'right', dropRank: 1 },
  ];
  const entries = rows.map(({ label, baseline, candidate, ratio, interval }) =>
    [`  ${label}`, baseline, candidate, ratio, interval].map(plain),
  );
  const remark = wrapText(WITNESS_REMARK, width, { first: '  ', next: '  ' });
  return [
    ...layOutTable(columns, entries, width, paint),
    ...remark.map((line) => paint(line, 'quiet')),
  ];
}

/**
 * @param {Page} page
 * @param {{ number: number, text: string }[]} warnings
 * @returns {string[]}
 */
function listNotes({ width, paint }, warnings) {
  if (warnings.length === 0) return [];
  const digits = String(Math.max(...warnings.map(({ number }) => number))).length;
  const lines = warnings.flatMap(({ number, text }) =>
    wrapText(text, width, { first: ` ${String(number).padStart(digits)}  ` }),
  );
  return [paint('Notes on the profiles', 'title'), ...lines];
}

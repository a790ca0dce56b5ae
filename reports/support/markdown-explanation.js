/** The section of the Markdown report that says why. */

/** @import { CellExplanation, Manifest, Verdict } from '../../harness/formats/types.ts' */
/** @import { ChangeRow } from './explanation-rows.js' */

import { codeSpan, escapeProse } from '../../harness/lib/escape.js';
import {
  describeCacheSite,
  describeDeopt,
  listAllocationRows,
  listCauseRows,
  listFunctionRows,
  listRequestedFiles,
  listWitnessRows,
  WITNESS_REMARK,
} from './explanation-rows.js';
import { folded, markdownTable } from './markdown-table.js';

const MOST_CAUSES = 8;
const MOST_FUNCTIONS = 15;
const MOST_SITES = 8;

/**
 * Cell by cell a sentence and, folded, what the difference consists of and what that rests on. The
 * short form has the paragraphs alone.
 *
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Verdict} verdict
 * @param {'whole' | 'short'} [form]
 * @returns {string} empty where nothing was profiled
 */
export function explanationSection({ question }, { explanation }, form = 'whole') {
  if (explanation === undefined || explanation.cells.length === 0) return '';
  const { cells, warnings } = explanation;
  const blocks = ['**Why**', ...cells.map((cell) => describeCell(cell, question.recorders, form))];
  if (warnings.length > 0) {
    const notes = warnings.map(({ number, text }) => `${number}. ${escapeProse(text)}`);
    blocks.push(`**Notes on the profiles**\n\n${notes.join('\n')}`);
  }
  return blocks.filter((block) => block !== '').join('\n\n');
}

/**
 * @param {CellExplanation} cell
 * @param {readonly string[]} recorders asked for by name
 * @param {'whole' | 'short'} form
 * @returns {string}
 */
function describeCell(cell, recorders, form) {
  const name = `**${codeSpan(cell.cell.id)}**`;
  if (form === 'short') return `${name}: ${escapeProse(cell.paragraph.join(' '))}`;
  const [first = '', ...others] = cell.paragraph;
  const head = `${name}: ${escapeProse(first)}`;
  const blocks = [
    bulletList(others),
    causeTable(cell),
    witnessTable(cell),
    ...listDetails(cell),
    fileList(listRequestedFiles(cell, recorders)),
  ].filter((block) => block !== '');
  if (blocks.length === 0) return head;
  return `${head}\n\n${folded('What changed, and what that rests on', blocks.join('\n\n'))}`;
}

/**
 * @param {CellExplanation} cell
 * @returns {string}
 */
function causeTable(cell) {
  const rows = listCauseRows(cell).slice(0, MOST_CAUSES);
  if (rows.length < 2) return '';
  return markdownTable(
    [
      { title: 'what changed, per document', align: 'left' },
      { title: 'change', align: 'right' },
      { title: '95 % interval', align: 'right' },
      { title: 'share', align: 'right' },
    ],
    rows.map(({ label, change, interval, share }) => [escapeProse(label), change, interval, share]),
  );
}

/**
 * @param {CellExplanation} cell
 * @returns {string}
 */
function witnessTable(cell) {
  const rows = listWitnessRows(cell);
  if (rows.length === 0) return '';
  const table = markdownTable(
    [
      { title: 'other witnesses', align: 'left' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
      { title: 'ratio', align: 'right' },
      { title: '95 % interval', align: 'right' },
    ],
    rows.map(({ label, baseline, candidate, ratio, interval }) => [
      label,
      baseline,
      candidate,
      ratio,
      interval,
    ]),
  );
  return `${table}\n\n${WITNESS_REMARK}`;
}

/**
 * @param {CellExplanation} cell
 * @returns {string[]} some of them empty
 */
function listDetails(cell) {
  return [
    changeTable('own time of a function', listFunctionRows(cell, MOST_FUNCTIONS)),
    changeTable('allocated at', listAllocationRows(cell, MOST_SITES)),
    bulletList(cell.deopts.slice(0, MOST_SITES).map(describeDeopt)),
    bulletList(cell.cacheSites.slice(0, MOST_SITES).map(describeCacheSite)),
  ];
}

/**
 * @param {string} title
 * @param {ChangeRow[]} rows
 * @returns {string}
 */
function changeTable(title, rows) {
  if (rows.length === 0) return '';
  return markdownTable(
    [
      { title, align: 'left' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
      { title: 'change', align: 'right' },
      { title: '95 % interval', align: 'right' },
    ],
    rows.map(({ label, place, baseline, candidate, change, interval }) => [
      `${codeSpan(label)}${place === '' ? '' : ` ${escapeProse(place)}`}`,
      baseline,
      candidate,
      change,
      interval,
    ]),
  );
}

/**
 * @param {ReturnType<typeof listRequestedFiles>} files
 * @returns {string}
 */
function fileList(files) {
  if (files.length === 0) return '';
  const items = files.map(
    ({ recorder, arm, path }) => `- ${escapeProse(`${recorder}, ${arm}`)}: ${codeSpan(path)}`,
  );
  return `Files, below the run's directory:\n\n${items.join('\n')}`;
}

/**
 * @param {string[]} lines
 * @returns {string}
 */
function bulletList(lines) {
  return lines.map((line) => `- ${escapeProse(line)}`).join('\n');
}

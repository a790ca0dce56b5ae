/** The section of the Markdown report on memory. */

/** @import { CorpusMemory, Manifest, MemoryVerdict, Verdict } from '../../harness/formats/types.ts' */
/** @import { MarkdownColumn } from './markdown-table.js' */
/** @import { MemoryRow, PartRow } from './memory-rows.js' */

import { codeSpan, escapeProse } from '../../harness/lib/escape.js';
import { folded, markdownTable } from './markdown-table.js';
import {
  describeHeldDocuments,
  describeLeftOut,
  describeRss,
  hasCollections,
  listCellRows,
  listCompositionRows,
  listCorpusRows,
  listDifferingGroups,
  listPartRows,
} from './memory-rows.js';
import { formatConfidence } from '../../harness/lib/numbers.js';

/**
 * Allocation, collections, what is retained and what that is made of, and the notes on them, folded.
 * The short form has no parts.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {'whole' | 'short'} [form]
 * @returns {string} empty where memory was not measured
 */
export function memorySection(manifest, verdict, form = 'whole') {
  const { memory } = verdict;
  if (memory === undefined) return '';
  const parts = form === 'whole' ? memory.corpora.map(describeParts) : [];
  const blocks = [
    metricTable(manifest, memory),
    ...parts,
    ...memory.corpora.map((corpus) => {
      const text = describeRss(corpus);
      return text === '' ? '' : `${codeSpan(corpus.corpus)}: ${escapeProse(text)}`;
    }),
    describeLeftOut(verdict),
    noteText(memory),
  ];
  return folded('Memory', blocks.filter((block) => block !== '').join('\n\n'));
}

/**
 * @param {Manifest} manifest
 * @param {MemoryVerdict} memory
 * @returns {string}
 */
function metricTable({ question }, { cells, corpora }) {
  /** @type {MarkdownColumn[]} */
  const columns = [
    {
      title: `memory per document${hasCollections(cells) ? '; collections per 1000' : ''}`,
      align: 'left',
    },
    { title: 'baseline', align: 'right' },
    { title: 'candidate', align: 'right' },
    { title: 'ratio', align: 'right' },
    { title: `${formatConfidence(question.alpha)} interval`, align: 'right' },
    { title: 'control', align: 'right' },
    { title: 'verdict', align: 'left' },
  ];
  const rows = [
    ...cells.flatMap((cell) => listCellRows(cell).map((row) => toCells(cell.cell.id, row))),
    ...corpora.flatMap((corpus) =>
      listCorpusRows(corpus).map((row) => toCells(`retained ${corpus.corpus}`, row)),
    ),
  ];
  if (rows.length === 0) return '';
  const held = corpora.map(
    (corpus) => `${codeSpan(corpus.corpus)} ${describeHeldDocuments(corpus)}`,
  );
  const remark = held.length === 0 ? '' : `\n\nRetained figures rest on: ${held.join('; ')}.`;
  return `${markdownTable(columns, rows)}${remark}`;
}

/**
 * @param {string} subject
 * @param {MemoryRow} row
 * @returns {string[]}
 */
function toCells(subject, { label, baseline, candidate, ratio, interval, control, verdict, tone }) {
  const isDirection = tone === 'good' || tone === 'bad';
  return [
    `${codeSpan(subject)} ${escapeProse(label)}`,
    baseline,
    candidate,
    ratio,
    interval,
    control,
    isDirection ? `**${verdict}**` : verdict,
  ];
}

/**
 * @param {CorpusMemory} corpus
 * @returns {string} empty where nothing is known of the parts
 */
function describeParts(corpus) {
  const tables = listDifferingGroups(corpus).map((group) =>
    partTable(group.name, listPartRows(group)),
  );
  const composition = listCompositionRows(corpus);
  if (composition.length > 0) tables.push(partTable('a document, by constructor', composition));
  if (tables.length === 0) return '';
  return folded(
    'What the retained bytes are made of',
    [codeSpan(corpus.corpus), ...tables].join('\n\n'),
  );
}

/**
 * @param {string} title
 * @param {PartRow[]} rows
 * @returns {string}
 */
function partTable(title, rows) {
  return markdownTable(
    [
      { title: escapeProse(title), align: 'left' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
    ],
    rows.map(({ label, baseline, candidate }) => [escapeProse(label), baseline, candidate]),
  );
}

/**
 * @param {MemoryVerdict} memory
 * @returns {string}
 */
function noteText({ warnings }) {
  const notes = warnings.map(({ number, text }) => `${number}. ${escapeProse(text)}`);
  return notes.length === 0 ? '' : `**Notes on memory**\n\n${notes.join('\n')}`;
}

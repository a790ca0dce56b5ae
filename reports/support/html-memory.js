/** The section of the page on memory. */

/** @import { CorpusMemory, Manifest, MemoryVerdict, Verdict } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */
/** @import { HtmlColumn, TablePlace } from './html-table.js' */
/** @import { MemoryRow, PartRow } from './memory-rows.js' */

import { foldedPart, pageSection } from './html-blocks.js';
import { codeName, joinBlocks, markup } from '../document/markup.js';
import { htmlTable } from './html-table.js';
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
 * Allocation, collections, what is retained and what that is made of.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content} nothing where memory was not measured
 */
export function memoryPart({ question }, verdict) {
  const { memory } = verdict;
  if (memory === undefined) return null;
  const leftOut = describeLeftOut(verdict);
  return pageSection('memory', 'Memory', [
    metricTable(question, memory),
    leftOut === '' ? null : markup`<p class="quiet">${leftOut}</p>`,
    ...memory.corpora.map(retainedPart),
  ]);
}

/**
 * @param {Manifest['question']} question
 * @param {MemoryVerdict} memory
 * @returns {Content}
 */
function metricTable({ alpha }, { cells, corpora }) {
  /** @type {HtmlColumn[]} */
  const columns = [
    { title: 'figure' },
    { title: 'verdict' },
    { title: 'ratio', align: 'right' },
    { title: `${formatConfidence(alpha)} interval`, align: 'right' },
    { title: 'baseline', align: 'right' },
    { title: 'candidate', align: 'right' },
    { title: 'control', align: 'right' },
  ];
  const rows = [
    ...cells.flatMap((cell) => listCellRows(cell).map((row) => metricRow(cell.cell.id, row))),
    ...corpora.flatMap((corpus) =>
      listCorpusRows(corpus).map((row) => metricRow(`retained ${corpus.corpus}`, row)),
    ),
  ];
  return htmlTable({
    caption: `Memory for one document${hasCollections(cells) ? '; collections for 1000 documents' : ''}`,
    label: 'Memory',
    columns,
    rows,
  });
}

/**
 * @param {string} subject
 * @param {MemoryRow} row
 * @returns {TablePlace[]}
 */
function metricRow(
  subject,
  { label, baseline, candidate, ratio, interval, control, verdict, tone },
) {
  return [
    markup`${codeName(subject)} ${label}`,
    { content: verdict, tone },
    ratio,
    interval,
    baseline,
    candidate,
    control,
  ];
}

/**
 * What documents of a corpus retain, by component.
 *
 * @param {CorpusMemory} corpus
 * @returns {Content}
 */
function retainedPart(corpus) {
  const held = describeHeldDocuments(corpus);
  const rss = describeRss(corpus);
  const tables = [
    ...listDifferingGroups(corpus).map((group) => partTable(group.name, listPartRows(group))),
    partTable('a document, by constructor', listCompositionRows(corpus)),
  ];
  return joinBlocks([
    markup`<h3>Retained by ${codeName(corpus.corpus)}</h3>`,
    held === '' ? null : markup`<p class="quiet">Rests on ${held}.</p>`,
    foldedPart('What the retained bytes are made of', joinBlocks(tables), true),
    rss === '' ? null : markup`<p class="quiet">${rss}</p>`,
  ]);
}

/**
 * @param {string} title
 * @param {PartRow[]} rows
 * @returns {Content}
 */
function partTable(title, rows) {
  return htmlTable({
    caption: title,
    label: 'Parts of what is retained',
    columns: [
      { title: 'part' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
    ],
    rows: rows.map(({ label, baseline, candidate }) => [label, baseline, candidate]),
  });
}

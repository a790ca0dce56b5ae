/** What the times are in other terms: documents and bytes per second, percentiles of calls and of pauses. */

/** @import { ArmPercentiles, CellComparison, Manifest, PercentileComparison, TypicalPercentile, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Block, Column, Row, Section } from '../../document/model.ts' */

import { group } from 'd3-array';
import { formatCount, formatTime, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { sharedIdOf } from '../../../harness/stats/plan.js';
import { figureColumn, figureColumns, present } from '../build.js';

const BYTES_PER_MB = 1e6;

/** @type {Column[]} */
const NAMES = [
  { title: 'cell', kind: 'group' },
  { title: 'variant', kind: 'name' },
];

/**
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {Section} without blocks where no figure is a time per document
 */
export function makeThroughputSection({ question }, verdict) {
  const rows = listVariants(question, verdict, ({ throughput }) => throughput);
  const hasBytes = rows.some(({ figures }) => figures.bytesPerSecond !== undefined);
  return {
    id: 'throughput',
    title: 'Throughput',
    order: 4,
    folded: ['markdown', 'html'],
    blocks: listTables(rows.length, {
      kind: 'table',
      caption: 'Documents per second of one process: the time per document in another unit.',
      label: 'Throughput by cell',
      columns: present([
        ...NAMES,
        figureColumn('documents/s'),
        hasBytes && figureColumn('MB/s', 'Millions of encoded bytes'),
      ]),
      rows: rows.map(({ cell, variant, figures }) =>
        present([
          { code: cell },
          { code: variant },
          formatCount(figures.documentsPerSecond),
          hasBytes && formatMegabytes(figures.bytesPerSecond),
        ]),
      ),
      ...(hasBytes
        ? {
            legend:
              'MB/s: millions of encoded bytes per second, where a call reads or writes them.',
          }
        : {}),
    }),
  };
}

/** @param {number | undefined} bytesPerSecond @returns {string} in millions, with three digits */
function formatMegabytes(bytesPerSecond) {
  if (bytesPerSecond === undefined) return NO_FIGURE;
  const millions = Number((bytesPerSecond / BYTES_PER_MB).toPrecision(3));
  return millions >= 1000 ? formatCount(millions) : String(millions);
}

/** @type {Record<PercentileComparison['of'], { caption: string, count: string }>} */
const KINDS = {
  calls: {
    caption: 'Times of single calls, in a short loop after the batches of each process.',
    count: 'calls',
  },
  pauses: {
    caption: 'Pauses of the garbage collector during the batches.',
    count: 'pauses',
  },
};

/**
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {Section} without blocks where no process has them
 */
export function makePercentilesSection({ question }, verdict) {
  const kinds = /** @type {PercentileComparison['of'][]} */ (Object.keys(KINDS));
  const tables = kinds.flatMap((of) => tabulatePercentiles(question, verdict, of));
  return {
    id: 'percentiles',
    title: 'Calls and pauses',
    order: 4,
    folded: ['markdown', 'html'],
    blocks: listTables(tables.length, ...tables, {
      kind: 'paragraph',
      role: 'remark',
      text: 'Each figure is the median over processes of a percentile of one process, with the interval of that median, at 95 % or more; it needs six processes, and a 99th percentile a hundred calls or pauses. The largest of more calls is larger. No verdict rests on them.',
    }),
  };
}

/** @type {(count: number, ...blocks: Block[]) => Block[]} the blocks, if there is anything to show */
function listTables(count, ...blocks) {
  return count === 0 ? [] : blocks;
}

/** @type {(question: Manifest['question'], verdict: Pick<Verdict, 'cells'>, of: PercentileComparison['of']) => Block[]} */
function tabulatePercentiles(question, verdict, of) {
  const rows = listVariants(question, verdict, ({ percentiles = [] }) =>
    percentiles.find((one) => one.of === of),
  );
  const groups = rows.filter(({ figures: { documents = 1 } }) => documents > 1);
  const { caption, count } = KINDS[of];
  return listTables(rows.length, {
    kind: 'table',
    name: of,
    caption,
    label: caption,
    columns: [
      ...NAMES,
      { title: count, align: 'right', spare: 1 },
      ...figureColumns('p50', 'p99'),
      { title: 'interval', align: 'right', spare: 2 },
      figureColumn('max'),
      { title: 'interval', align: 'right', spare: 3 },
    ],
    rows: rows.map(({ cell, variant, figures }) => makeRow(cell, variant, figures)),
    ...(groups.length === 0
      ? {}
      : {
          legend: `Timed in groups, since a call takes all documents of the corpus or less than 100 steps of the clock; times are per document: ${listGroups(groups)}.`,
        }),
  });
}

/** @type {(rows: { cell: string, figures: ArmPercentiles }[]) => string} `serialize tweet: 20 documents` */
function listGroups(rows) {
  return [...group(rows, ({ cell }) => cell)]
    .map(([cell, own]) => {
      const sizes = [...new Set(own.map(({ figures }) => figures.documents ?? 1))];
      return `${cell} ${sizes.map(formatCount).join(' and ')}`;
    })
    .join(', ');
}

/** @type {(cell: string, variant: string, figures: ArmPercentiles) => Row} */
function makeRow(cell, variant, { count, p50, p99, max }) {
  return [
    { code: cell },
    { code: variant },
    formatCount(count),
    formatTime(p50.ns),
    ...[p99, max].flatMap((one) => [formatTime(one?.ns), formatBounds(one)]),
  ];
}

/** @param {TypicalPercentile | null} percentile @returns {string} `1.20 ms–1.31 ms` */
function formatBounds(percentile) {
  if (percentile === null || percentile.interval === null) return NO_FIGURE;
  const { low, high } = percentile.interval;
  return `${formatTime(low)}–${formatTime(high)}`;
}

/**
 * @template T
 * @param {Manifest['question']} question
 * @param {Pick<Verdict, 'cells'>} verdict
 * @param {(comparison: CellComparison) => { baseline?: T | null, candidate: T | null } | undefined} read
 * @returns {{ cell: string, variant: string, figures: T }[]} of each cell the baseline once, then the candidates
 */
function listVariants(question, { cells }, read) {
  const { hasBaseline } = contrastOf(question);
  return [...group(cells, ({ cell }) => sharedIdOf(cell))].flatMap(([cell, own]) => {
    const baseline = hasBaseline ? read(own[0])?.baseline : undefined;
    const variants = [
      { variant: question.baseline, figures: baseline },
      ...own.map((comparison) => ({
        variant: question.candidates[comparison.cell.candidate ?? 0],
        figures: read(comparison)?.candidate,
      })),
    ];
    return variants.flatMap(({ variant, figures }) =>
      figures === undefined || figures === null ? [] : [{ cell, variant, figures }],
    );
  });
}

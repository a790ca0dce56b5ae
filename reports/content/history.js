/** What the result store has, and answers to queries over it. */

import { PROGRAM } from '../../harness/lib/program.js';
import { formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { VERDICTS } from '../../harness/stats/verdicts.js';

/** @import { ComparisonRecord } from '../../harness/formats/types.ts' */
/** @import { Cell, Document } from '../document/model.ts' */

/** @typedef {ComparisonRecord['cells'][number] & { createdAt: string, host: string }} HistoryRow */

/** @type {(rows: HistoryRow[]) => Document} */
export function describeHistory(rows) {
  const hasHosts = new Set(rows.map(({ host }) => host)).size > 1;
  return tableDocument({
    columns: [
      { title: 'cell', kind: 'name' },
      { title: 'candidate', kind: 'name' },
      { title: 'baseline', kind: 'name' },
      { title: 'measured' },
      { title: 'verdict' },
      { title: 'ratio', align: 'right' },
      { title: 'interval', align: 'right' },
      { title: 'processes', align: 'right' },
      ...(hasHosts ? [{ title: 'host' }] : []),
    ],
    rows: rows.map((row) => [
      row.cellId,
      { code: row.candidate },
      { code: row.baseline },
      row.createdAt.slice(0, 16).replace('T', ' '),
      { tone: VERDICTS[row.verdict].tone, text: row.verdict },
      formatRatio(row.ratio?.estimate),
      formatInterval(row.ratio),
      String(row.processes),
      ...(hasHosts ? [row.host] : []),
    ]),
  });
}

/** @type {(result: { columns: string[], rows: unknown[][] }) => Document} */
export function describeQuery({ columns, rows }) {
  return tableDocument({
    columns: columns.map((title, index) => ({
      title,
      align: rows.every((row) => typeof row[index] === 'number') ? 'right' : 'left',
    })),
    rows: rows.map((row) => row.map(showValue)),
  });
}

/** @type {(value: unknown) => Cell} */
function showValue(value) {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @type {(table: Pick<import('../document/model.ts').Table, 'columns' | 'rows'>) => Document} */
function tableDocument(table) {
  return {
    title: 'Recorded comparisons',
    eyebrow: 'Assay history',
    source: `${PROGRAM} history`,
    sections: [
      {
        id: 'history',
        title: 'Comparisons',
        untitled: ['terminal', 'markdown'],
        blocks: [{ kind: 'table', label: 'Recorded comparisons', ...table }],
      },
    ],
    footer: `${PROGRAM} history --help`,
  };
}

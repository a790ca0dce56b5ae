/** The comparisons that the result store has, for `just history`. */

import { PROGRAM } from '../../harness/lib/program.js';
import { formatRatio } from '../../harness/lib/numbers.js';
import { VERDICTS } from '../../harness/stats/verdicts.js';
import { figureColumn, tabulateIntervals } from './build.js';

/** @import { ComparisonRecord } from '../../harness/formats/types.ts' */
/** @import { Document, Table } from '../document/model.ts' */

/** @typedef {ComparisonRecord['cells'][number] & { createdAt: string, host: string, alpha: number | null }} HistoryRow */

/** @type {(rows: HistoryRow[]) => Document} */
export function describeHistory(rows) {
  return {
    title: 'Recorded comparisons',
    eyebrow: 'Assay history',
    source: `${PROGRAM} history`,
    sections: [
      {
        id: 'history',
        title: 'Comparisons',
        untitled: ['terminal', 'markdown'],
        blocks: [makeTable(rows)],
      },
    ],
    footer: `${PROGRAM} history --help`,
  };
}

/** @type {(rows: HistoryRow[]) => Table} */
function makeTable(rows) {
  const hasHosts = new Set(rows.map(({ host }) => host)).size > 1;
  const intervals = tabulateIntervals(rows);
  return {
    kind: 'table',
    label: 'Recorded comparisons',
    columns: [
      { title: 'cell', kind: 'name' },
      { title: 'candidate', kind: 'name' },
      { title: 'baseline', kind: 'name' },
      { title: 'measured' },
      { title: 'verdict' },
      figureColumn('ratio'),
      intervals.column,
      figureColumn('processes'),
      ...(hasHosts ? [{ title: 'host' }] : []),
    ],
    rows: rows.map((row, index) => [
      row.cellId,
      { code: row.candidate },
      { code: row.baseline },
      row.createdAt.slice(0, 16).replace('T', ' '),
      { tone: VERDICTS[row.verdict].tone, text: row.verdict },
      formatRatio(row.ratio?.estimate),
      intervals.cells[index],
      String(row.processes),
      ...(hasHosts ? [row.host] : []),
    ]),
  };
}

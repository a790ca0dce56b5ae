/** Ratios by runtime. */

/** @import { CellComparison, Manifest, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Cell as TableCell, Column, Format, Section } from '../../document/model.ts' */

import { formatInterval, formatRatio, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { figureOf } from '../../../harness/stats/figure.js';
import { VERDICTS } from '../../../harness/stats/verdicts.js';
import {
  candidateOf,
  listRuntimes,
  nameInterval,
  runtimeOf,
  timesFirstCalls,
  verdictBadge,
} from './words.js';

/**
 * One operation on one corpus, and the same calls if code is cold, under every runtime.
 *
 * @typedef {object} MatrixRow
 * @property {string} operation
 * @property {string} corpus
 * @property {string} calls empty for warm code
 * @property {number} [candidate] number, if there are several
 * @property {(CellComparison | null)[]} entries one a runtime; null where it was not measured
 */

/**
 * A row for each operation and corpus, a column for each runtime.
 *
 * @param {Pick<Manifest, 'environment'>} manifest
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {{ runtimes: string[], rows: MatrixRow[] } | null} null where all cells are of one
 *   runtime, or none has a ratio
 */
export function arrangeByRuntime({ environment }, { cells }) {
  const runtimes = listRuntimes(
    cells.map(({ cell }) => cell),
    environment,
  );
  if (runtimes.length < 2 || cells.every(({ effect }) => effect === null)) return null;
  /** @type {MatrixRow[]} */
  const rows = [];
  for (const comparison of cells) {
    const { operation, corpus, candidate } = comparison.cell;
    const calls = figureOf(comparison.cell).calls;
    let row = rows.find(
      (one) =>
        one.operation === operation &&
        one.corpus === corpus &&
        one.calls === calls &&
        one.candidate === candidate,
    );
    if (row === undefined) {
      row = {
        operation,
        corpus,
        calls,
        ...(candidate === undefined ? {} : { candidate }),
        entries: runtimes.map(() => null),
      };
      rows.push(row);
    }
    row.entries[runtimes.indexOf(runtimeOf(comparison.cell, environment))] = comparison;
  }
  return { runtimes, rows };
}

/** @type {(manifest: Manifest, verdict: Verdict) => Section} without blocks for a run under one runtime */
export function makeRuntimesSection(manifest, verdict) {
  const section = {
    id: 'runtimes',
    title: 'Runtimes',
    order: 3,
    untitled: /** @type {Format[]} */ (['terminal', 'markdown', 'html']),
  };
  const matrix = arrangeByRuntime(manifest, verdict);
  if (matrix === null) return { ...section, blocks: [] };
  const hasCalls = timesFirstCalls(manifest.question);
  const words = [...new Set(verdict.cells.map((cell) => cell.verdict))];
  const signs = words.map((word) => `${VERDICTS[word].sign} ${word}`).join(', ');
  const { mode } = manifest.question;
  return {
    ...section,
    blocks: [
      {
        kind: 'table',
        name: 'cells runtimes',
        caption: `Ratio (candidate ÷ baseline) with its ${nameInterval(manifest.question.alpha, verdict.cells)}, by runtime. Runtimes are not compared with each other.`,
        label: 'Ratios by runtime',
        columns: [
          { title: 'operation', kind: 'group' },
          { title: 'corpus', kind: 'name' },
          ...(hasCalls ? [/** @type {Column} */ ({ title: 'calls', kind: 'name' })] : []),
          ...candidateOf(manifest.question, {}).map(
            () => /** @type {Column} */ ({ title: 'candidate', kind: 'name' }),
          ),
          ...matrix.runtimes.flatMap(runtimeColumns),
        ],
        rows: matrix.rows.map(({ entries, calls, ...row }) => [
          { code: row.operation },
          { code: row.corpus },
          ...(hasCalls ? [calls] : []),
          ...candidateOf(manifest.question, row),
          ...entries.flatMap((entry) => [narrowEntry(entry), wideEntry(entry, mode)]),
        ]),
      },
      { kind: 'paragraph', role: 'quiet', text: `${signs}.`, only: ['terminal'] },
    ],
  };
}

/** @type {(title: string) => Column[]} one for a terminal, which has little room, and one for the other formats */
function runtimeColumns(title) {
  return [
    { title, only: ['terminal'] },
    { title, only: ['markdown', 'html'] },
  ];
}

/** @type {(comparison: CellComparison | null) => TableCell} the verdict as its sign */
function narrowEntry(comparison) {
  if (comparison === null) return NO_FIGURE;
  const { verdict, effect } = comparison;
  const { sign, tone } = VERDICTS[verdict];
  const interval = effect === null ? '' : ` ${formatInterval(effect.ratio)}`;
  return { tone, text: `${sign} ${formatRatio(effect?.ratio.estimate)}${interval}` };
}

/** @type {(comparison: CellComparison | null, mode: Manifest['question']['mode']) => TableCell} */
function wideEntry(comparison, mode) {
  if (comparison === null) return NO_FIGURE;
  const { effect } = comparison;
  const badge = verdictBadge(comparison, mode);
  if (effect === null) return badge;
  const ratio = `${formatRatio(effect.ratio.estimate)} (${formatInterval(effect.ratio)}) `;
  // The badge alone has a colour.
  return { value: [ratio, badge], tone: 'plain' };
}

/** The table of ratios by version of Node in the page. */

/** @import { CellComparison, Manifest, Verdict } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { verdictBadge } from './html-blocks.js';
import { codeName, markup } from '../document/markup.js';
import { htmlTable } from './html-table.js';
import { formatInterval, formatRatio, NO_FIGURE } from '../../harness/lib/numbers.js';
import { arrangeByNode, MATRIX_REMARK } from './runtime-matrix.js';
import { verdictLabel } from './verdict-words.js';

/**
 * A row an operation and corpus, a column a version: verdict, ratio and interval.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content} nothing for a run under one version
 */
export function runtimeTable(manifest, verdict) {
  const matrix = arrangeByNode(manifest, verdict);
  if (matrix === null) return null;
  const { mode } = manifest.question;
  return htmlTable({
    caption: `By version of Node: ${MATRIX_REMARK}.`,
    label: 'Ratios by version of Node',
    kind: 'cells runtimes',
    columns: [
      { title: 'cell', wraps: true },
      ...matrix.versions.map((version) => ({ title: `Node ${version}` })),
    ],
    rows: matrix.rows.map(({ operation, corpus, entries }) => [
      codeName(`${operation} ${corpus}`),
      ...entries.map((comparison) => drawEntry(comparison, mode)),
    ]),
  });
}

/**
 * @param {CellComparison | null} comparison
 * @param {Manifest['question']['mode']} mode
 * @returns {Content}
 */
function drawEntry(comparison, mode) {
  if (comparison === null) return NO_FIGURE;
  const { effect } = comparison;
  const badge = verdictBadge(comparison.verdict, verdictLabel(comparison, mode));
  if (effect === null) return badge;
  return markup`<span class="ratio"><strong>${formatRatio(effect.ratio.estimate)}</strong> ${formatInterval(effect.ratio)}</span> ${badge}`;
}

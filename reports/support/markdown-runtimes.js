/** The table of ratios by version of Node in the Markdown report. */

/** @import { CellComparison, Manifest, Verdict } from '../../harness/formats/types.ts' */

import { codeSpan } from '../../harness/lib/escape.js';
import { markdownTable } from './markdown-table.js';
import { formatInterval, formatRatio, NO_FIGURE } from '../../harness/lib/numbers.js';
import { arrangeByNode, MATRIX_REMARK } from './runtime-matrix.js';
import { verdictLabel } from './verdict-words.js';

/**
 * A row an operation and corpus, a column a version: ratio, interval and verdict.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {string} empty for a run under one version
 */
export function runtimeTable(manifest, verdict) {
  const matrix = arrangeByNode(manifest, verdict);
  if (matrix === null) return '';
  const { mode } = manifest.question;
  const columns = [
    { title: 'operation', align: /** @type {const} */ ('left') },
    { title: 'corpus', align: /** @type {const} */ ('left') },
    ...matrix.versions.map((version) => ({
      title: `Node ${codeSpan(version)}`,
      align: /** @type {const} */ ('left'),
    })),
  ];
  const rows = matrix.rows.map(({ operation, corpus, entries }) => [
    codeSpan(operation),
    codeSpan(corpus),
    ...entries.map((comparison) => drawEntry(comparison, mode)),
  ]);
  return `By version of Node: ${MATRIX_REMARK}.\n\n${markdownTable(columns, rows)}`;
}

/**
 * @param {CellComparison | null} comparison
 * @param {Manifest['question']['mode']} mode
 * @returns {string} `**0.423** (0.410–0.436) faster, strong`
 */
function drawEntry(comparison, mode) {
  if (comparison === null) return NO_FIGURE;
  const { verdict, effect } = comparison;
  const label = verdictLabel(comparison, mode);
  if (effect === null) return label;
  const ratio = formatRatio(effect.ratio.estimate);
  const hasDirection = verdict === 'faster' || verdict === 'slower';
  return `${hasDirection ? `**${ratio}**` : ratio} (${formatInterval(effect.ratio)}) ${label}`;
}

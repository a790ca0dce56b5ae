/** What names a row in the table of cells of the Markdown report. */

/** @import { CellComparison, Manifest, Verdict } from '../../harness/formats/types.ts' */
/** @import { CellColumn } from './markdown-results.js' */

import { codeSpan } from '../../harness/lib/escape.js';
import { hasSeveralHosts, partNumber } from './host-parts.js';
import { hasNodeColumn, nameInTable, nodeOf } from './runtime-matrix.js';

/**
 * The cell, the version of Node where versions were given, the part where hosts differ.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {CellColumn[]}
 */
export function nameColumns(manifest, verdict) {
  /** @type {CellColumn[]} */
  const columns = [
    {
      title: manifest.question.mode === 'screen' ? 'cell (screen mode)' : 'cell',
      align: 'left',
      draw: ({ cell }) => codeSpan(nameInTable(cell, verdict)),
    },
  ];
  if (hasNodeColumn(verdict)) {
    const draw = (/** @type {CellComparison} */ { cell }) =>
      codeSpan(nodeOf(cell, manifest.environment));
    columns.push({ title: 'node', align: 'left', draw });
  }
  if (hasSeveralHosts(manifest)) {
    const draw = (/** @type {CellComparison} */ { cell }) => partNumber(manifest, cell);
    columns.push({ title: 'part', align: 'right', draw });
  }
  return columns;
}

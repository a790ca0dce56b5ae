/** What names a row in the table of cells of the page. */

/** @import { CellComparison, Manifest, Verdict } from '../../harness/formats/types.ts' */
/** @import { CellColumn } from './html-cell-table.js' */

import { hasSeveralHosts, partNumber } from './host-parts.js';
import { codeName, markup } from '../document/markup.js';
import { hasNodeColumn, nameInTable, nodeOf } from './runtime-matrix.js';

/**
 * The cell, the version of Node where versions were given, the part where hosts differ.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {Set<number>} linked numbers, from 1, of the cells that have a section
 * @returns {CellColumn[]}
 */
export function nameColumns(manifest, verdict, linked) {
  /** @type {CellColumn[]} */
  const columns = [
    {
      title: 'cell',
      sortable: true,
      wraps: true,
      draw: ({ cell }, index) => {
        const name = codeName(nameInTable(cell, verdict));
        return linked.has(index + 1) ? markup`<a href="#cell-${index + 1}">${name}</a>` : name;
      },
    },
  ];
  if (hasNodeColumn(verdict)) {
    const draw = (/** @type {CellComparison} */ { cell }) => nodeOf(cell, manifest.environment);
    columns.push({ title: 'node', sortable: true, draw });
  }
  if (hasSeveralHosts(manifest)) {
    const draw = (/** @type {CellComparison} */ { cell }) => partNumber(manifest, cell);
    const hint = 'Part of the plan; see Hosts';
    columns.push({ title: 'part', hint, align: 'right', sortable: true, draw });
  }
  return columns;
}
